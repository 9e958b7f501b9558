/** Saved runs: a table to sort and select from, with the actions for the selected runs. */
import { counted } from "../../model/shared/format";
import { savedLines, savedTraces } from "../../model/compare/savedRun";
import { savedColumns, savedFileColumns } from "../../model/compare/savedTable";
import type { SavedRow, UnreadRun } from "../../model/compare/savedTable";
import { useChosen } from "../shared/choices";
import { DataTable } from "../shared/DataTable";
import { Download } from "../shared/Download";
import { Icon } from "../shared/Icon";
import { PageFactsContext } from "../shared/picture/PageFacts";
import { TraceTagContext } from "../shared/TraceTag";
import { RunBars } from "./RunBars";
import { SavedPreview } from "./SavedPreview";
import { SavedTools } from "./SavedTools";
import "./saved.css";

/** The number of runs that are drawn as bars; the table has all. */
const MOST_BARS = 12;

export interface SavedPageProps {
  /** Newest first; `undefined` until the saved runs are read. */
  readonly rows: readonly SavedRow[] | undefined;
  /** Saved runs that this version cannot read. */
  readonly unreadable: readonly UnreadRun[];
  /** Why this browser cannot save runs. */
  readonly problem: string | undefined;
  /** The number of runs that were deleted last and can be restored. */
  readonly deleted: number;
  /** Whether the current run can be saved. */
  readonly canSave: boolean;
  readonly onSave: () => void;
  readonly onOpen: (id: string) => void;
  readonly onCompare: (left: string, right: string) => void;
  readonly onRename: (id: string) => void;
  /** Resolves to false if the runs could not be deleted. */
  readonly onDelete: (ids: readonly string[]) => Promise<boolean>;
  readonly onPutBack: () => void;
}

export function SavedPage(props: SavedPageProps) {
  const { rows, unreadable, problem, deleted } = props;
  const { canSave, onSave, onPutBack } = props;
  return (
    <section className="compare-section" aria-label="Saved runs">
      {problem === undefined ? null : (
        <p className="compare-problem saved-problem" role="alert">
          {problem}
        </p>
      )}
      <div role="status">
        {deleted > 0 ? (
          <p className="saved-deleted">
            {counted(deleted, "run was", "runs were")} deleted.
            <button type="button" className="btn" onClick={onPutBack}>
              <Icon name="undo" /> Undo
            </button>
          </p>
        ) : null}
      </div>
      {rows && rows.length > 0 ? (
        <Runs {...props} rows={rows} />
      ) : rows && unreadable.length === 0 && problem === undefined ? (
        <div className="saved-empty">
          <p>
            No saved runs yet. A saved run keeps its machine, its trace’s name
            and all its counts in this browser, so that you can compare later
            runs with it.
          </p>
          <button
            type="button"
            className="btn primary"
            aria-disabled={!canSave}
            title={canSave ? undefined : "The run has not finished yet"}
            onClick={() => {
              if (canSave) onSave();
            }}
          >
            Save this run
          </button>
        </div>
      ) : null}
      {unreadable.map(({ id, name }) => (
        <p key={id} className="saved-deleted">
          The saved run “{name}” cannot be read: it is damaged, or another
          version of Pagewalk stored it.
          <button
            type="button"
            className="btn"
            aria-label={`Delete ${name}`}
            onClick={() => void props.onDelete([id])}
          >
            <Icon name="trash" /> Delete
          </button>
        </p>
      ))}
    </section>
  );
}

function Runs(props: SavedPageProps & { readonly rows: readonly SavedRow[] }) {
  const { rows } = props;
  const [wanted, setTrace] = useChosen("saved.trace");
  const [base, setBaseline] = useChosen("saved.baseline");
  const [chosen, setChosen] = useChosen("saved.runs");
  const traces = savedTraces(rows.map(({ run }) => run));
  const trace = traces.find(({ hash }) => hash === wanted)?.hash;
  const shown = trace
    ? rows.filter(({ run }) => run.trace.hash === trace)
    : rows;
  const isShown = (id: string) => shown.some(({ run }) => run.id === id);
  const picked = (chosen?.split(",") ?? []).filter(isShown);
  const pick = (ids: readonly string[]) =>
    setChosen(ids.length > 0 ? ids.join(",") : undefined);
  const baseline = rows.find(({ run }) => run.id === base);
  const selected = shown.filter(({ run }) => picked.includes(run.id));
  const bars = selected.length > 1 ? selected : shown;
  const preview = shown.find(({ run }) => run.id === picked.at(-1)) ?? shown[0];
  const file = "saved-runs";
  return (
    <>
      <div className="saved-head">
        <label className="saved-filter">
          <span className="t2">Trace</span>
          <select
            className="field"
            value={trace ?? ""}
            onChange={({ target: { value } }) =>
              setTrace(value === "" ? undefined : value)
            }
          >
            <option value="">all, {counted(rows.length, "run")}</option>
            {traces.map(({ hash, name, n }) => (
              <option key={hash} value={hash}>
                {name}, {counted(n, "run")}
              </option>
            ))}
          </select>
        </label>
        <span className="spacer" />
        <button
          type="button"
          className="btn"
          aria-disabled={!props.canSave}
          onClick={() => {
            if (props.canSave) props.onSave();
          }}
        >
          <Icon name="plus" /> Save this run
        </button>
        <Download
          label="JSON lines"
          what="Saved runs"
          file={`${file}.jsonl`}
          make={() =>
            new Blob([savedLines(shown.map(({ run }) => run))], {
              type: "application/x-ndjson",
            })
          }
        />
      </div>
      <SavedTools
        rows={selected}
        picked={picked}
        baseline={baseline?.run.id}
        onBaseline={setBaseline}
        onNone={() => pick([])}
        onOpen={props.onOpen}
        onCompare={props.onCompare}
        onRename={props.onRename}
        onDelete={props.onDelete}
      />
      {/* The runs have traces and machines of their own. */}
      <PageFactsContext value={null}>
        <TraceTagContext value={null}>
          <DataTable
            id="saved"
            title="Saved runs"
            columns={savedColumns(shown, baseline)}
            fileColumns={savedFileColumns(shown, baseline)}
            rows={shown}
            keyOf={({ run }) => run.id}
            file={file}
            lead={{
              head: "Selected",
              of: ({ run: { id, name } }) => (
                <input
                  type="checkbox"
                  className="saved-pick"
                  aria-label={`Select ${name}`}
                  checked={picked.includes(id)}
                  onChange={({ target: { checked } }) =>
                    pick(
                      checked
                        ? [...picked, id]
                        : picked.filter((other) => other !== id),
                    )
                  }
                />
              ),
            }}
          />
        </TraceTagContext>
      </PageFactsContext>
      {baseline ? (
        <p className="t2 small">
          Percentages are differences from “{baseline.run.name}”, for runs with
          the same trace, the same part of it and the same cores.
        </p>
      ) : null}
      <div className="saved-below">
        <RunBars
          title={
            bars === shown ? "Cost of each run" : "Cost of the selected runs"
          }
          runs={bars
            .slice(0, MOST_BARS)
            .map(({ run: { name, report } }) => ({ name, report }))}
        />
        {preview ? (
          <SavedPreview
            row={preview}
            title={picked.length > 0 ? "Selected run" : "Newest run"}
          />
        ) : null}
      </div>
    </>
  );
}

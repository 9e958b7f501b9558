/** Results of the trace on every CPU model, in a table that grows while they run. */
import { useContext } from "react";
import { MODEL_COLUMNS, ranked } from "../../model/compare/leaderboard";
import { counted } from "../../model/shared/format";
import type { ModelRow } from "../../model/compare/leaderboard";
import { DataTable } from "../shared/DataTable";
import { Download } from "../shared/Download";
import { PageFactsContext } from "../shared/picture/PageFacts";
import { ProgressBar } from "../shared/Progress";
import { TraceTag, useTagFacts } from "../shared/TraceTag";

export interface LeaderboardProps {
  readonly rows: readonly ModelRow[];
  readonly total: number;
  readonly status: "running" | "done" | "cancelled" | "failed";
  readonly problem: string | undefined;
  /** The id of the model that the replay uses. */
  readonly current: string;
  readonly file: string;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
  readonly onReplay: (cpu: string) => void;
  readonly onCompare: (cpu: string) => void;
}

export function Leaderboard(props: LeaderboardProps) {
  const { rows, total, status, problem, current, file } = props;
  const all = ranked(rows);
  const facts = useTagFacts();
  const page = useContext(PageFactsContext);
  const json = () => {
    const tagged = all.map((row) => ({ ...row, ...facts, ...page?.about() }));
    return new Blob([JSON.stringify(tagged, null, 2)], {
      type: "application/json",
    });
  };
  return (
    <div className="compare-section">
      {status === "running" ? (
        <ProgressBar
          label="Running all CPU models"
          done={rows.length}
          total={total}
        />
      ) : null}
      <div className="compare-table-head">
        <p>
          {status === "running"
            ? `${rows.length} of ${counted(total, "model")} have run.`
            : `${counted(rows.length, "model")}, cheapest first.`}{" "}
          {status === "cancelled" ? "The remaining runs were cancelled." : null}
          {status === "failed" ? problem : null}
        </p>
        <TraceTag />
        <span className="spacer" />
        {status === "running" ? (
          <button type="button" className="btn" onClick={props.onCancel}>
            Cancel
          </button>
        ) : status === "done" ? null : (
          <button type="button" className="btn" onClick={props.onAgain}>
            Run again
          </button>
        )}
      </div>
      <DataTable
        id="models"
        title="All CPU models"
        columns={MODEL_COLUMNS}
        rows={all}
        keyOf={({ cpu }) => cpu}
        file={file}
        current={current}
        short={Infinity}
        downloads={
          <Download
            label="JSON"
            what="All CPU models"
            file={`${file}.json`}
            make={json}
          />
        }
        picture={{
          head: "open",
          of: ({ cpu, name, totals }) =>
            totals === undefined ? null : (
              <span className="compare-row-buttons">
                <button
                  type="button"
                  className="btn quiet small"
                  aria-label={`Replay ${name}`}
                  onClick={() => props.onReplay(cpu)}
                >
                  replay
                </button>
                {cpu === current ? (
                  <span className="t2 small compare-left">left</span>
                ) : (
                  <button
                    type="button"
                    className="btn quiet small"
                    aria-label={`Compare ${name}`}
                    onClick={() => props.onCompare(cpu)}
                  >
                    compare
                  </button>
                )}
              </span>
            ),
        }}
      />
    </div>
  );
}

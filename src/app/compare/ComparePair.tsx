/** Two machines on the open trace, at one access. */
import { useEffect } from "react";
import {
  regionRows,
  structureRows,
  totalRows,
} from "../../model/compare/totals";
import { fileName } from "../../model/shared/csv";
import { differingText, moved } from "../../model/compare/differences";
import { count, counted } from "../../model/shared/format";
import { sideText } from "../../model/compare/sides";
import { walkCosts } from "../../model/compare/walkCosts";
import { rightOf } from "../../state/compare/right";
import type { ComparedPair } from "../../state/compare/state";
import { ComparedTable } from "../../views/compare/ComparedTable";
import { CompareTimeline } from "../../views/compare/CompareTimeline";
import { DifferenceList } from "../../views/compare/DifferenceList";
import { OutcomeMatrix } from "../../views/compare/OutcomeMatrix";
import { RunBars } from "../../views/compare/RunBars";
import { useChoice } from "../../views/shared/choices";
import { ProgressBar } from "../../views/shared/Progress";
import { Segmented } from "../../views/shared/Segmented";
import { TraceTag } from "../../views/shared/TraceTag";
import { CompareSide } from "./CompareSide";
import { CompareTransport } from "./CompareTransport";
import { useActions, useApp, useAppStore } from "../context";
import type { EditorTab } from "../config/editorTab";
import { Pickers } from "../config/Pickers";
import { RightPickers } from "./RightPickers";
import { useIsPhone } from "../shared/useMedia";

export interface ComparePairProps {
  readonly onEdit: (tab: EditorTab) => void;
  readonly onDialog: (dialog: "machines") => void;
}

export function ComparePair({ onEdit, onDialog }: ComparePairProps) {
  const store = useAppStore();
  const compare = useApp((state) => state.compare);
  const trace = useApp((state) => state.trace);
  const configuration = useApp((state) => state.configuration);
  const stale = useApp((state) => state.stale);
  const { comparePair, stopComparing, swapSides, openAsReplay } = useActions();
  const { pair, status, problem, progress, right: chosen } = compare;
  useEffect(() => {
    void comparePair();
  }, [comparePair, trace, configuration, stale, chosen]);
  useEffect(() => () => void stopComparing(), [stopComparing]);
  const right = rightOf(store.getState());
  const shown = pair?.trace === trace ? pair : undefined;
  const editRight = (tab: EditorTab) => {
    void swapSides();
    onEdit(tab);
  };
  return (
    <>
      <div className="compare-sides">
        <fieldset>
          <legend>Left: the replay</legend>
          <Pickers onEdit={onEdit} onDialog={onDialog} />
        </fieldset>
        <button
          type="button"
          className="btn compare-swap"
          title="Swaps both sides; the right machine moves to the replay, where you can edit it"
          onClick={() => void swapSides()}
        >
          ⇄ Swap
        </button>
        <fieldset>
          <legend>Right</legend>
          {right ? (
            <RightPickers
              right={right}
              sizes={shown?.view.machines[1].page_sizes ?? []}
              onEdit={editRight}
            />
          ) : null}
          {right ? (
            <button
              type="button"
              className="btn"
              onClick={() => void openAsReplay(right)}
            >
              Open as replay
            </button>
          ) : null}
        </fieldset>
      </div>
      <div className="compare-bar">
        {status === "running" || stale ? (
          <ProgressBar
            label="Running both machines"
            done={progress?.done ?? 0}
            total={trace?.n_accesses}
          />
        ) : null}
      </div>
      {problem === undefined ? null : (
        <p className="compare-note compare-problem" role="alert">
          The right machine cannot be simulated: {problem} Choose another one.
        </p>
      )}
      {shown ? (
        <div data-stale={status === "running" || undefined}>
          <Results pair={shown} />
        </div>
      ) : problem === undefined ? (
        <p className="compare-note">Both machines run on the trace.</p>
      ) : null}
    </>
  );
}

function Results({ pair }: { readonly pair: ComparedPair }) {
  const cpus = useApp((state) => state.cpus);
  const { lockstep, regions, steps, at } = useApp((state) => state.compare);
  const { goToBoth } = useActions();
  const phone = useIsPhone();
  const { machines, reports } = pair.view;
  const names = [pair.left, pair.right].map((side) => sideText(cpus, side));
  const [left = "", right = ""] = names;
  const file = (what: string) => fileName(pair.trace.name, "compare", what);
  const seek = (index: number) => void goToBoth(index);
  const [first, showFirst] = useChoice("first", ["totals", "walks"]);
  const isWalksFirst = first === "walks";
  const walks = (
    <>
      <CompareTransport n={pair.trace.n_accesses}>
        <Segmented
          label="Shown first"
          choices={[
            { value: "totals", label: "Totals first" },
            { value: "walks", label: "Walks first" },
          ]}
          value={first ?? "totals"}
          onChange={showFirst}
        />
      </CompareTransport>
      {steps ? (
        <>
          <p className="compare-cost" role="status">
            {walkCosts(machines, steps)}
          </p>
          <div className="compare-walks">
            <CompareSide
              name={`Left: ${left}`}
              machine={machines[0]}
              step={steps[0]}
              phone={phone}
            />
            <CompareSide
              name={`Right: ${right}`}
              machine={machines[1]}
              step={steps[1]}
              phone={phone}
            />
          </div>
        </>
      ) : null}
    </>
  );
  const tables = { left: `left: ${left}`, right: `right: ${right}` };
  return (
    <>
      {isWalksFirst ? walks : null}
      <div className="compare-numbers">
        <div>
          <ComparedTable
            {...tables}
            title="Totals"
            rows={totalRows(...reports)}
            file={file("totals")}
          />
          <RunBars
            title="Where translations end"
            runs={[
              { name: "left", report: reports[0] },
              { name: "right", report: reports[1] },
            ]}
          />
        </div>
        <section className="compare-differences" aria-label="Differences">
          <div className="compare-table-head">
            <h3>Differing accesses</h3>
            <TraceTag />
          </div>
          {lockstep ? (
            <>
              <p>
                {differingText(lockstep)} <Moved view={lockstep} />
              </p>
              <OutcomeMatrix view={lockstep} />
              <DifferenceList view={lockstep} at={at} onSeek={seek} />
            </>
          ) : (
            <p className="t2">The comparison goes access by access.</p>
          )}
        </section>
      </div>
      {lockstep ? (
        <CompareTimeline view={lockstep} at={at} onSeek={seek} />
      ) : null}
      {isWalksFirst ? null : walks}
      <div className="compare-numbers">
        <ComparedTable
          {...tables}
          title="Misses by structure"
          rows={structureRows(machines, reports)}
          file={file("structures")}
        />
        {regions ? (
          <ComparedTable
            {...tables}
            title="Walks by region"
            rows={regionRows(...regions)}
            file={file("regions")}
          />
        ) : null}
      </div>
    </>
  );
}

function Moved({ view }: { readonly view: Parameters<typeof moved>[0] }) {
  const { costlier, cheaper } = moved(view);
  if (costlier + cheaper === 0) return null;
  return (
    <>
      {counted(cheaper, "access", "accesses")} {cheaper === 1 ? "has" : "have"}{" "}
      a cheaper outcome on the right,{" "}
      {costlier === 0 ? "none" : count(costlier)} a more expensive one.
    </>
  );
}

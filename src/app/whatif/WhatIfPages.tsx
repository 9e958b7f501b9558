/** Page sizes side by side; what the misses are made of; reach against footprint. */
import type { RunReport } from "../../engine/generated/RunReport";
import { csv } from "../../model/shared/csv";
import { count, mean, memorySize, percentOf } from "../../model/shared/format";
import { KINDS, keyOf } from "../../model/whatif/questions";
import { ownPoints } from "../../model/whatif/curves";
import { shapeOf } from "../../model/whatif/machine";
import type { ArrayPlace } from "../../model/whatif/machine";
import { pagesChoices, pagesRow, perAccess } from "../../model/whatif/pages";
import type { PagesChoice, PagesRow } from "../../model/whatif/pages";
import { splitCsv, splitParts } from "../../model/whatif/split";
import { CauseBar, CauseKey } from "../../views/whatif/CauseBar";
import { Panel, Pending } from "../../views/whatif/Panel";
import { Explained, ModelNumber } from "../../views/shared/Quantity";
import { SavePicture } from "../../views/shared/picture/SavePicture";
import { useActions, useApp, useAppStore } from "../context";
import { useAnswer, useRun, valueOf } from "./useAsked";
import type { WhatIf } from "./useWhatIf";
import "../../views/whatif/pages.css";

interface PartProps {
  readonly whatIf: WhatIf;
}

const NO_SIZES: readonly string[] = [];
const CYCLES =
  "L2 hits × their latency, and for each walk its overhead and the latencies of its references.";

export function WhatIfPages({ whatIf }: PartProps) {
  const { own, place } = whatIf;
  const split = useSplit(whatIf, place);
  const sizes = useApp((state) => state.machine?.page_sizes ?? NO_SIZES);
  const store = useAppStore();
  const choices = pagesChoices(own.os, own.machine, sizes);
  const title = "Page sizes side by side";
  const table = () => {
    const { runs } = store.getState().whatIf;
    const rows = choices.map((choice) => {
      const run = runs[keyOf({ ...own, os: choice.os })];
      const report = choice.id === "now" ? whatIf.ownReport : valueOf(run);
      return pagesRow(choice, report, whatIf.ownReport);
    });
    return rowsCsv(rows);
  };
  return (
    <Panel
      title={title}
      controls={
        <SavePicture
          what={title}
          tables={[{ of: "page sizes", csv: table }, ...causesOf(split)]}
        />
      }
    >
      <table className="wi-table">
        <thead>
          <tr>
            <th scope="col">policy</th>
            <th scope="col" className="wi-minor">
              of
            </th>
            <th scope="col" className="number">
              walks
            </th>
            <th scope="col" className="number wi-minor">
              refs
            </th>
            <th scope="col" className="number">
              <ModelNumber formula={CYCLES}>cy/access</ModelNumber>
            </th>
            <th scope="col" className="number">
              change
            </th>
            <th scope="col" className="number">
              wasted
            </th>
            <th scope="col">
              <span className="sr-only">replay</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {choices.map((choice) => (
            <PagesLine key={choice.id} choice={choice} whatIf={whatIf} />
          ))}
        </tbody>
      </table>
      {place ? <Split whatIf={whatIf} place={place} split={split} /> : null}
    </Panel>
  );
}

function PagesLine({
  choice,
  whatIf,
}: PartProps & { readonly choice: PagesChoice }) {
  const { own, ownReport } = whatIf;
  const { openWhatIf } = useActions();
  const isOwn = choice.id === "now";
  const run = useRun(isOwn ? undefined : { ...own, os: choice.os });
  const report = isOwn ? ownReport : valueOf(run);
  const { change } = pagesRow(choice, report, ownReport);
  const cell = (text: string) => (report ? text : "…");
  return (
    <tr data-own={isOwn || undefined}>
      <th scope="row">{choice.name}</th>
      <td className="t2 wi-minor">{choice.about}</td>
      {run?.status === "failed" ? (
        <td colSpan={5} className="wi-problem">
          {run.why}
        </td>
      ) : (
        <>
          <td className="number mono">
            {cell(count(report?.walks.walks ?? 0))}
          </td>
          <td className="number mono wi-minor">
            {cell(count(report?.walks.refs ?? 0))}
          </td>
          <td className="number mono">
            {report ? mean(perAccess(report)) : "…"}
          </td>
          <td className="number wi-strong">{cell(change)}</td>
          <td className="number t2">{cell(wasteText(report))}</td>
        </>
      )}
      <td className="number">
        {isOwn ? null : (
          <button
            type="button"
            className="btn quiet"
            data-no-picture=""
            aria-label={`Open ${choice.name} as a replay`}
            onClick={() =>
              void openWhatIf({ machine: own.machine, os: choice.os })
            }
          >
            Replay
          </button>
        )}
      </td>
    </tr>
  );
}

/** Nothing where nobody counted. */
function wasteText(report: RunReport | undefined): string {
  const bytes = report?.memory.waste_bytes;
  return bytes === undefined ? "–" : memorySize(bytes);
}

function rowsCsv(rows: readonly PagesRow[]): string {
  return csv([
    ["policy", "walks", "references", "cycles per access", "wasted bytes"],
    ...rows.map(({ choice, report }) => [
      choice.name,
      report?.walks.walks,
      report?.walks.refs,
      report && perAccess(report),
      report?.memory.waste_bytes,
    ]),
  ]);
}

/** What the misses of an array are made of, and how many of them the run counted, else LRU makes. */
function useSplit(
  { own, view, size, comparable, isPart }: WhatIf,
  place: ArrayPlace | undefined,
) {
  const question = place && {
    what: "split" as const,
    uses: { pages: size, kinds: [...KINDS[view.kinds]] },
    entries: shapeOf(place.array).entries,
    ways: shapeOf(place.array).ways,
  };
  const asked = useAnswer(question);
  // Causes are those of the whole trace.
  const report = isPart ? undefined : comparable;
  const point =
    report &&
    ownPoints(own.machine, report, view.kinds, size).find(
      ({ id }) => id === place?.id,
    );
  const found = valueOf(asked);
  return {
    question,
    asked,
    found,
    point,
    measured: point?.misses ?? found?.misses,
  };
}

/** As a file, once it is known. */
function causesOf({ found, measured }: ReturnType<typeof useSplit>) {
  return found && measured !== undefined
    ? [{ of: "misses by cause", csv: () => splitCsv(found, measured) }]
    : [];
}

interface SplitProps extends PartProps {
  readonly place: ArrayPlace;
  readonly split: ReturnType<typeof useSplit>;
}

function Split({ whatIf, place, split: asking }: SplitProps) {
  const { view, size } = whatIf;
  const actions = useActions();
  const { entries } = shapeOf(place.array);
  const { question, asked, point, found: split } = asking;
  if (!split)
    return (
      <Pending
        what="Misses by cause, and the fewest possible"
        asked={asked}
        height={96}
        onCancel={() => {
          if (question) actions.cancelAsked([question]);
        }}
        onAgain={() => {
          if (question) void actions.ask(question);
        }}
      />
    );
  const measured = point?.misses ?? split.misses;
  const parts = splitParts(split, measured);
  const { reach_bytes: reach, footprint_bytes: footprint } = split;
  const covered = Math.min(1, reach / Math.max(1, footprint));
  return (
    <div className="wi-causes">
      <p className="t2 small">
        {place.name} misses of {view.kinds}, {size} pages:{" "}
        <b className="wi-strong">{count(measured)}</b>
        {point ? ", counted" : ", under LRU"}
        {whatIf.isPart ? ", in the whole trace" : ""}
      </p>
      <CauseBar parts={parts} />
      <ul className="wi-facts">
        {parts.map(({ id, name, misses, help }) => (
          <li key={id}>
            <CauseKey id={id} />
            <Explained content={help} model={false}>
              {name}
            </Explained>{" "}
            <b>{count(misses)}</b>
          </li>
        ))}
      </ul>
      <ul className="wi-facts wi-bounds">
        <li>
          <ModelNumber formula="Belady’s optimum: a fully associative array of as many entries that knows the future and gives up the page whose next use is farthest away. No replacement has fewer misses.">
            fewest possible with {count(entries)} entries
          </ModelNumber>{" "}
          <b>{count(split.optimum)}</b>
        </li>
        <li>
          <ModelNumber formula="A TLB without end: one miss for each page.">
            ideal TLB
          </ModelNumber>{" "}
          <b>{count(split.compulsory)}</b>
        </li>
      </ul>
      <p className="t2 small wi-reach-title">
        Reach against footprint, {size} pages: {memorySize(reach)} of{" "}
        {memorySize(footprint)}
        {reach >= footprint
          ? ", all of it"
          : `, ${percentOf(reach, footprint)}`}
      </p>
      <div className="wi-reach-bar" aria-hidden="true">
        <span style={{ width: `${covered * 100}%` }} />
      </div>
    </div>
  );
}

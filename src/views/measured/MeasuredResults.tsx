/** What perf stat counted and what it means. */
import type { Measured } from "../../engine/generated/Measured";
import {
  counterRow,
  measuredParts,
  shareRow,
} from "../../model/measured/counters";
import { counted } from "../../model/shared/format";
import { CounterTable } from "./CounterTable";
import { OverTimeCharts } from "./OverTimeCharts";
import { ShareTable } from "./ShareTable";

export interface MeasuredResultsProps {
  readonly name: string;
  readonly view: Measured;
  /** The simulated run to compare with, and the completeness of its trace. */
  readonly run: string | undefined;
}

export function MeasuredResults({ name, view, run }: MeasuredResultsProps) {
  const shares = view.shares.map(shareRow);
  const bounds = shares.filter(({ isUpperBound }) => isUpperBound);
  const rows = view.counters.map((counter) =>
    counterRow(counter, view.family !== null),
  );
  const json = JSON.stringify(view, null, 2);
  return (
    <>
      <div className="measured-title">
        <p>
          <b>{name}</b>
          {measuredParts(view).map((part) => (
            <span key={part} className="t2">
              {" "}
              · {part}
            </span>
          ))}
        </p>
        <a
          className="btn"
          download={`${name}.json`}
          href={`data:application/json,${encodeURIComponent(json)}`}
        >
          JSON
        </a>
      </div>
      {bounds.map(({ what, of, measured, note, isEstimate }) => (
        <div key={`${what} ${of}`} className="measured-bound">
          <b>{measured}</b>
          <p>
            {of === "" ? what : `${what}, ${of}`}
            {note === undefined ? null : <span className="t2">{note}</span>}
            {isEstimate ? (
              <span className="t2">
                ~ an estimate: the events shared counters
              </span>
            ) : null}
          </p>
        </div>
      ))}
      {shares.length > bounds.length ? (
        <section className="measured-section measured-table">
          <h3>Derived from the counters</h3>
          <ShareTable rows={shares.filter((share) => !share.isUpperBound)} />
        </section>
      ) : null}
      <section className="measured-section measured-table">
        <div className="measured-head">
          <h3>Counters</h3>
          {run === undefined ? null : (
            <span className="t2 small">simulated: {run}</span>
          )}
        </div>
        <CounterTable rows={rows} />
      </section>
      {view.over_time ? <OverTimeCharts over={view.over_time} /> : null}
      <Notes view={view} />
    </>
  );
}

function Notes({ view: { notes, unread } }: { readonly view: Measured }) {
  const left =
    unread.lines > 0
      ? [
          `Pagewalk could not read ${counted(unread.lines, "line")}; the first is line ${unread.first_line}: ${unread.first}`,
        ]
      : [];
  const all = [...notes, ...left];
  if (all.length === 0) return null;
  return (
    <section className="measured-section">
      <h3>Notes</h3>
      <ul className="measured-notes">
        {all.map((note) => (
          <li key={note}>{note}.</li>
        ))}
      </ul>
    </section>
  );
}

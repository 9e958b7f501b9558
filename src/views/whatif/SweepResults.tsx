/** The rows of a sweep as they arrive: a table by the values of its axes, darker for larger counts. */
import { count, counted } from "../../model/shared/format";
import { COUNTERS, extremesOf, gridOf, heatOf } from "../../model/whatif/sweep";
import type { Counter, SweepRow } from "../../model/whatif/sweep";
import "./map.css";
import "./sweep.css";

export interface SweepResultsProps {
  /** The name of each axis: `STLB, entries`. */
  readonly names: readonly string[];
  readonly rows: readonly SweepRow[];
  readonly counter: Counter;
  readonly onOpen: (row: SweepRow) => void;
}

export function SweepResults(props: SweepResultsProps) {
  const { names, rows, counter, onOpen } = props;
  const { down, across, cells } = gridOf(rows);
  const of = COUNTERS[counter];
  const extremes = extremesOf(
    rows.flatMap(({ report }) => (report ? [of(report)] : [])),
  );
  return (
    <div className="wi-map-scroll">
      <table
        className="wi-map wi-sweep-table"
        data-one={across.length === 1 || undefined}
      >
        <caption className="t2 small">
          {counter} by {names.join(" and ")}; each opens as a replay
        </caption>
        <thead>
          <tr>
            <th scope="col">{names[0]}</th>
            {across.map((value) => (
              <th key={value} scope="col">
                {value === "" ? counter : value}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {down.map((value, at) => (
            <tr key={value}>
              <th scope="row">{value}</th>
              {across.map((other, each) => {
                const row = cells[at]?.[each];
                if (!row) return <td key={other}>…</td>;
                const { report, error } = row;
                if (!report)
                  return (
                    <td key={other} className="wi-problem" title={error}>
                      <span aria-hidden="true">×</span>
                      <span className="sr-only">{error}</span>
                    </td>
                  );
                const n = of(report);
                const where = row.at.join(", ");
                return (
                  <td key={other}>
                    <button
                      type="button"
                      className="wi-cell"
                      data-heat={heatOf(n, extremes)}
                      aria-label={`${where}: ${count(n)} ${counter}. Open as a replay`}
                      onClick={() => onOpen(row)}
                    >
                      {count(n)}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {failures(rows).map(([error, n]) => (
        <p key={error} className="small wi-problem">
          × {counted(n, "row")}: {error}
        </p>
      ))}
    </div>
  );
}

/** Why some rows have no counts, and how many rows. */
function failures(
  rows: readonly SweepRow[],
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { error } of rows)
    if (error !== undefined) counts.set(error, (counts.get(error) ?? 0) + 1);
  return [...counts];
}

/** Every event: what it counts, its measured value, and the simulated value of the same event. */
import { columnsOf } from "../../model/measured/counters";
import type { CounterRow } from "../../model/measured/counters";

export interface CounterTableProps {
  readonly rows: readonly CounterRow[];
}

export function CounterTable({ rows }: CounterTableProps) {
  const has = columnsOf(rows);
  return (
    <table aria-label="Counters">
      <thead>
        <tr>
          <th scope="col">event</th>
          <th scope="col" className="number">
            measured
          </th>
          {has.variance ? (
            <th scope="col" className="number">
              ± over runs
            </th>
          ) : null}
          {has.running ? (
            <th
              scope="col"
              className="number"
              title="How much of the time a counter counted the event; below 100 % perf scaled the number up"
            >
              counted
            </th>
          ) : null}
          {has.comparison ? (
            <>
              <th scope="col">per</th>
              <th scope="col" className="number">
                measured rate
              </th>
              <th scope="col" className="number">
                simulated rate
              </th>
              <th
                scope="col"
                className="number"
                title="Measured rate divided by the simulated rate"
              >
                ratio
              </th>
            </>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          // An event may appear twice, and rows keep their order, so the index is the key.
          <Row key={at} row={row} has={has} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly row: CounterRow;
  readonly has: ReturnType<typeof columnsOf>;
}

function Row({ row, has }: RowProps) {
  const { name, counts, value, isMissing, isEstimate, comparison } = row;
  return (
    <tr>
      <th scope="row">
        <span className="mono measured-event">{name}</span>
        {counts === undefined || counts === name.replaceAll("-", " ") ? null : (
          <span className="measured-counts t2">{counts}</span>
        )}
      </th>
      <td
        className={isMissing ? "number t2" : "number"}
        data-label="measured"
        title={isEstimate ? ESTIMATED : undefined}
      >
        {isMissing ? value : <b>{value}</b>}
      </td>
      {has.variance ? (
        <td className="number t2" data-label="± over runs">
          {row.variance}
        </td>
      ) : null}
      {has.running ? (
        <td className="number t2" data-label="counted">
          {row.running}
        </td>
      ) : null}
      {has.comparison ? (
        <>
          <td className="t2" data-label="per">
            {comparison?.per}
          </td>
          <td className="number" data-label="measured rate">
            {comparison?.measured}
          </td>
          <td
            className="number"
            data-label={
              comparison?.measured === undefined
                ? "simulated"
                : "simulated rate"
            }
          >
            {comparison?.simulated}
          </td>
          <td className="number t2" data-label="ratio">
            {comparison?.ratio}
          </td>
        </>
      ) : null}
    </tr>
  );
}

const ESTIMATED =
  "An estimate: the event shared a counter, and perf scaled the number up to the whole time";

/** Quantities derived from several counters, compared with the simulated run. */
import type { ShareRow } from "../../model/measured/counters";

export interface ShareTableProps {
  readonly rows: readonly ShareRow[];
}

export function ShareTable({ rows }: ShareTableProps) {
  const hasSimulated = rows.some(({ simulated }) => simulated !== undefined);
  return (
    <table aria-label="Derived from the counters">
      <thead>
        <tr>
          <th scope="col">quantity</th>
          <th scope="col" className="number">
            measured
          </th>
          {hasSimulated ? (
            <th scope="col" className="number">
              simulated
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ what, of, measured, simulated, events, note }) => (
          <tr key={`${what} ${of}`}>
            <th scope="row">
              {of === "" ? what : `${what}, ${of}`}
              <span className="measured-counts t2">{events}</span>
              {note === undefined ? null : (
                <span className="measured-counts t2">{note}</span>
              )}
            </th>
            <td className="number" data-label="measured">
              <b>{measured}</b>
            </td>
            {hasSimulated ? (
              <td className="number" data-label="simulated">
                {simulated}
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

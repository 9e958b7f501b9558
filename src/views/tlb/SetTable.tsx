/** The entries of one set as a table, with their last use. */
import type { RegionReport } from "../../engine/generated/RegionReport";
import type { StructureView } from "../../engine/generated/StructureView";
import { count } from "../../model/shared/format";
import { hex } from "../../model/shared/hex";
import type { AccessIndex } from "../../model/shared/units";
import type { ArrayColumns } from "../../model/tlb/array";
import { setRows } from "../../model/tlb/setRows";
import type { SetOrder, SetRow } from "../../model/tlb/setRows";
import { useIsGiven } from "./Came";
import "./setTable.css";

export interface SetTableProps {
  readonly view: StructureView;
  readonly content: ArrayColumns;
  readonly set: number;
  /** The access that is about to run, or that ran last. */
  readonly now: AccessIndex;
  readonly order: SetOrder;
  readonly regions: readonly Pick<RegionReport, "start" | "end" | "name">[];
}

export function SetTable(props: SetTableProps) {
  const { view, set } = props;
  const { rows, empty, more } = setRows(props);
  const title =
    view.sets === 1 ? `In the ${view.name} now` : `In set ${set} now`;
  if (rows.length === 0)
    return (
      <section className="set-table" aria-label={title}>
        <h3>{title}</h3>
        <p>Nothing: all ways are empty.</p>
      </section>
    );
  const hasRegions = rows.some(({ region }) => region !== "");
  return (
    <section className="set-table" aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">way</th>
            <th scope="col">page</th>
            {hasRegions ? <th scope="col">region</th> : null}
            <th
              scope="col"
              className="number"
              title="Uses of an entry in a row count as one use."
            >
              last use began
            </th>
            <th scope="col" className="number">
              accesses ago
            </th>
            <th scope="col" className="number">
              hits
            </th>
            <th scope="col" className="recency" aria-hidden="true">
              recency
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.way} row={row} hasRegions={hasRegions} />
          ))}
        </tbody>
      </table>
      {empty > 0 || more > 0 ? (
        <p>
          {empty > 0 ? `Empty ways: ${count(empty)}.` : ""}{" "}
          {more > 0 ? `Not listed: ${count(more)}.` : ""}
        </p>
      ) : null}
    </section>
  );
}

interface RowProps {
  readonly row: SetRow;
  readonly hasRegions: boolean;
}

function Row({ row, hasRegions }: RowProps) {
  const { entry, way, region, ago, share } = row;
  const isGiven = useIsGiven();
  // A given entry has not been used by any access.
  const isUnused = isGiven(entry.key, entry.filledAt) && entry.hits === 0;
  return (
    <tr>
      <th scope="row">{way}</th>
      <td className="mono page">{hex(entry.key)}</td>
      {hasRegions ? <td className="region">{region}</td> : null}
      <td className="number">{isUnused ? "given" : count(entry.usedAt)}</td>
      <td className="number">{isUnused ? "–" : count(ago)}</td>
      <td className="number">{count(entry.hits)}</td>
      <td className="recency" aria-hidden="true">
        <i style={{ width: `${Math.round((isUnused ? 0 : share) * 100)}%` }} />
      </td>
    </tr>
  );
}

/**
 * The margins of the grid: references and cycles of each row and column; the sum of the walk at the corner.
 */
import { count } from "../../model/shared/format";
import { cellsOf, columnOf, sumOf } from "../../model/walk/nested/grid";
import type { Grid, GridCell, Sum } from "../../model/walk/nested/grid";
import { cellX, rowY } from "../../model/walk/nested/layout";
import type { NestedLayout } from "../../model/walk/nested/layout";
import type { Cycles } from "../../model/shared/units";

export interface NestedSumsProps {
  readonly grid: Grid;
  /** The cells that the walk has reached. */
  readonly known: readonly GridCell[];
  readonly layout: NestedLayout;
  /** The cycles of the translation without its references: the L2 miss and the start of the walk. */
  readonly overhead: Cycles;
}

export function NestedSums({ grid, known, layout, overhead }: NestedSumsProps) {
  const { size, readEnd, cyclesEnd, foot, cellHeight, cellWidth } = layout;
  // A cell that is not reached yet counts as a reference, but not as read.
  const sum = (cells: readonly GridCell[]): Sum => ({
    ...sumOf(cells.filter((cell) => known.includes(cell))),
    of: cells.length,
  });
  const total = sum(grid.cells);
  const columns = [...grid.hostLevels.keys(), grid.hostLevels.length];
  const names = layout.top - 8;
  return (
    <>
      {readEnd === null ? null : (
        <text className="quiet" x={readEnd} y={names} textAnchor="end">
          read
        </text>
      )}
      <text
        className={size === "phone" ? "xs quiet" : "quiet"}
        x={cyclesEnd}
        y={names}
        textAnchor="end"
      >
        cycles
      </text>
      {grid.rows.map((row, at) => {
        if (!row.view) return null;
        const { read, of, cycles } = sum(cellsOf(row));
        const y = rowY(layout, at) + cellHeight / 2 + 4;
        return (
          <g key={row.name}>
            {readEnd === null ? null : (
              <>
                <text
                  className="mono nested-sum"
                  x={size === "full" ? readEnd : readEnd - 22}
                  y={y}
                  textAnchor="end"
                >
                  {read}
                </text>
                <text
                  className="xs faint"
                  x={size === "full" ? readEnd + 6 : readEnd - 18}
                  y={y}
                >
                  {size === "full" ? `of ${of}` : `/ ${of}`}
                </text>
              </>
            )}
            <text
              className={size === "phone" ? "mono b" : "mono nested-sum"}
              x={cyclesEnd}
              y={y}
              textAnchor="end"
            >
              {count(cycles)}
            </text>
          </g>
        );
      })}
      <line className="nested-axis" x1={0} x2={cyclesEnd} y1={foot} y2={foot} />
      {size === "phone" ? null : (
        <>
          <text className="b" x={0} y={foot + 22}>
            read
          </text>
          <text className="quiet" x={0} y={foot + 40}>
            cycles
          </text>
        </>
      )}
      {columns.map((column) => {
        const cells = columnOf(grid, column);
        const { read, of, cycles } = sum(cells);
        const x = cellX(layout, column) + cellWidth / 2;
        const first = size === "phone" ? 16 : 22;
        const second = size === "phone" ? 32 : 40;
        return (
          <g key={column}>
            <text
              className={read > 0 ? "mono b" : "mono faint"}
              x={x}
              y={foot + first}
              textAnchor="middle"
            >
              {size === "phone" ? `${read}/${of}` : `${read} of ${of}`}
            </text>
            <text
              className="mono quiet"
              x={x}
              y={foot + second}
              textAnchor="middle"
            >
              {count(cycles)}
            </text>
          </g>
        );
      })}
      <Total sum={total} layout={layout} overhead={overhead} />
    </>
  );
}

function Total({
  sum,
  layout,
  overhead,
}: {
  readonly sum: Sum;
  readonly layout: NestedLayout;
  readonly overhead: Cycles;
}) {
  const { size, readEnd, cyclesEnd, foot } = layout;
  const { read, of, cycles } = sum;
  if (size === "phone" || readEnd === null)
    return (
      <>
        <text
          className="nested-sum"
          x={cyclesEnd}
          y={foot + 16}
          textAnchor="end"
        >
          {count(cycles)}
        </text>
        <text className="xs quiet" x={cyclesEnd} y={foot + 32} textAnchor="end">
          {read}/{of}
        </text>
      </>
    );
  const full = size === "full";
  const total = full ? "nested-total" : "nested-total compact";
  return (
    <>
      <text className={total} x={readEnd} y={foot + 28} textAnchor="end">
        {read}
      </text>
      <text className="quiet" x={readEnd} y={foot + 44} textAnchor="end">
        of {of}
      </text>
      <text className={total} x={cyclesEnd} y={foot + 28} textAnchor="end">
        {count(cycles)}
      </text>
      {read > 0 && overhead > 0 ? (
        <text className="quiet" x={cyclesEnd} y={foot + 44} textAnchor="end">
          + {count(overhead)}
          {full ? ` = ${count(cycles + overhead)}` : ""}
        </text>
      ) : null}
    </>
  );
}

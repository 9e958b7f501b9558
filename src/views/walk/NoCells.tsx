/** Shown if a huge page ends a walk early: the place has no table and no reference, and says why. */
import { pageSize } from "../../model/shared/format";
import type { GridRow } from "../../model/walk/nested/grid";
import { cellX, rowY } from "../../model/walk/nested/layout";
import type { NestedLayout } from "../../model/walk/nested/layout";

export interface NoCellsProps {
  readonly row: GridRow;
  readonly at: number;
  readonly layout: NestedLayout;
}

export function NoCells({ row, at, layout }: NoCellsProps) {
  const { cellWidth, cellHeight, columns, size } = layout;
  const y = rowY(layout, at);
  const none = [...row.host.keys()].filter((column) => !row.host[column]);
  const [first] = none;
  if (first === undefined) return null;
  const left = cellX(layout, first);
  const right = (columns.at(-1) ?? 0) + cellWidth;
  const leaf = row.host.findLast((cell) => cell !== null);
  const why = leaf
    ? `${leaf.name} maps ${pageSize(leaf.view.shift)}`
    : row.about;
  const short = size === "phone" ? "–" : "no table";
  const text = why.length * 6.2 <= right - left - 8 ? why : short;
  return (
    <>
      <rect
        className="nested-none"
        x={left}
        y={y}
        width={right - left}
        height={cellHeight}
        rx={2}
      />
      <text
        className="xs faint"
        x={(left + right) / 2}
        y={y + cellHeight / 2 + 4}
        textAnchor="middle"
      >
        {text}
      </text>
    </>
  );
}

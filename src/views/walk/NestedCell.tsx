/** One reference of the grid: read, skipped, not reached yet, or absent. */
import type { SVGAttributes } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import { count, cyclesShort } from "../../model/shared/format";
import { isRead } from "../../model/walk/nested/grid";
import type { GridCell } from "../../model/walk/nested/grid";
import { cellX, rowY } from "../../model/walk/nested/layout";
import type { NestedLayout } from "../../model/walk/nested/layout";
import { servedRank } from "../../model/walk/tables";
import { skipHatch } from "../shared/Patterns";

/** Narrower cells have less space, because of their round ends. */
const ROOMY = 110;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rx: number;
}

function boxOf(cell: GridCell, layout: NestedLayout, grow = 0): Box {
  const { cellWidth, cellHeight } = layout;
  const isGuest = cell.view.dimension === "guest";
  return {
    x: cellX(layout, cell.column) - grow,
    y: rowY(layout, cell.row) - grow,
    width: cellWidth + 2 * grow,
    height: cellHeight + 2 * grow,
    // Guest cells are round, host cells are square.
    rx: isGuest
      ? Math.min(cellHeight / 2, layout.size === "phone" ? 14 : 30) + grow
      : 2 + grow / 2,
  };
}

export interface CellBoxProps {
  readonly cell: GridCell;
  readonly layout: NestedLayout;
  readonly machine: MachineView;
  /** Whether the walk has not reached the cell yet. */
  readonly toCome: boolean;
}

export function CellBox(props: CellBoxProps) {
  const { cell, layout, toCome } = props;
  const box = boxOf(cell, layout);
  const { dimension } = cell.view;
  if (toCome)
    return (
      <>
        <rect className={`nested-cell nested-to-come ${dimension}`} {...box} />
        <SmallNumber cell={cell} box={box} layout={layout} plain />
      </>
    );
  if (isRead(cell)) return <ReadCell {...props} box={box} />;
  return (
    <>
      <rect
        className="nested-cell nested-skipped"
        {...box}
        fill={skipHatch(cell.skip?.kind ?? "combined")}
      />
      <SmallNumber cell={cell} box={box} layout={layout} plain={false} />
    </>
  );
}

/** The small number of a skipped reference, in a corner. */
function SmallNumber({
  cell,
  box,
  layout,
  plain,
}: {
  readonly cell: GridCell;
  readonly box: Box;
  readonly layout: NestedLayout;
  readonly plain: boolean;
}) {
  const { n, dimension } = cell.view;
  const inset = dimension === "guest" && layout.size !== "phone" ? 16 : 5;
  const width = 8 + String(n).length * 7;
  const phone = layout.size === "phone";
  const x = phone ? box.x + 3 : box.x + inset;
  const y = box.y + (phone ? 3 : 5);
  return (
    <>
      {plain ? null : (
        <rect
          className="walk-plate"
          x={x}
          y={y}
          width={width}
          height={phone ? 14 : 16}
          rx={2}
        />
      )}
      <text
        className={phone ? "mono xs faint" : "mono faint"}
        x={x + width / 2}
        y={y + (phone ? 11 : 12)}
        textAnchor="middle"
      >
        {n}
      </text>
    </>
  );
}

function ReadCell({
  cell,
  layout,
  machine,
  box,
}: CellBoxProps & { readonly box: Box }) {
  const { view } = cell;
  const served = view.served_by ?? "memory";
  const rank = servedRank(machine, served);
  const on = `walk-on${rank}`;
  const { x, y, width, height } = box;
  const middle = x + width / 2;
  const isGuest = view.dimension === "guest";
  const both = `${served} ${count(view.cycles ?? 0)}`;
  const inset = !isGuest ? 10 : width < ROOMY ? 14 : 22;
  return (
    <>
      <rect
        className={`nested-cell walk-ref${rank} ${view.dimension}`}
        {...box}
      />
      {layout.size === "full" ? (
        <>
          <text
            className={`mono nested-number ${on}`}
            x={x + inset}
            y={isGuest ? y + height / 2 + 6 : y + 26}
          >
            {view.n}
          </text>
          <text
            className={`m ${on}`}
            x={x + width - inset}
            y={y + height / 2 - 4}
            textAnchor="end"
          >
            {served}
          </text>
          <text
            className={on}
            x={x + width - inset}
            y={y + height / 2 + 14}
            textAnchor="end"
          >
            {cyclesShort(view.cycles ?? 0)}
          </text>
        </>
      ) : layout.size === "compact" ? (
        <>
          <text
            className={`mono nested-number compact ${on}`}
            x={isGuest ? middle : x + 6}
            y={y + height / 2 - 3}
            textAnchor={isGuest ? "middle" : "start"}
          >
            {view.n}
          </text>
          <text
            className={`xs m ${on}`}
            x={isGuest ? middle : x + 6}
            y={y + Math.min(height / 2 + 14, height - 5)}
            textAnchor={isGuest ? "middle" : "start"}
          >
            {both.length * 6.3 <= width - (isGuest ? 16 : 10) ? both : served}
          </text>
        </>
      ) : (
        <>
          <text
            className={`mono b ${on}`}
            x={middle}
            y={y + height / 2 - 3}
            textAnchor="middle"
          >
            {view.n}
          </text>
          <text
            className={`xs ${on}`}
            x={middle}
            y={y + Math.min(height / 2 + 13, height - 5)}
            textAnchor="middle"
          >
            {served}
          </text>
        </>
      )}
    </>
  );
}

/** The outline of the selected cell. */
export function ChosenBox({
  cell,
  layout,
}: {
  readonly cell: GridCell;
  readonly layout: NestedLayout;
}) {
  const grow = layout.size === "phone" ? 2 : 4;
  return <rect className="nested-chosen" {...boxOf(cell, layout, grow)} />;
}

/** Marks that software changed the entry around the access. */
export function ChangedBox({
  cell,
  layout,
}: {
  readonly cell: GridCell;
  readonly layout: NestedLayout;
}) {
  const phone = layout.size === "phone";
  const box = boxOf(cell, layout, phone ? 1 : 2);
  const size = phone ? 12 : 16;
  // At the upper corner, which has no text; a round cell has it in the middle.
  const isGuest = cell.view.dimension === "guest";
  const x = isGuest ? box.x + box.width / 2 : box.x + box.width - size / 2;
  return (
    <>
      <rect className="walk-changed" {...box} />
      <circle className="nested-changed" cx={x} cy={box.y} r={size / 2} />
      <text
        className="nested-changed-sign b"
        x={x}
        y={box.y + (phone ? 4 : 5)}
        textAnchor="middle"
      >
        ≠
      </text>
    </>
  );
}

/** Marks another cell that reads the same entry in memory. */
export function SameBox({
  cell,
  layout,
}: {
  readonly cell: GridCell;
  readonly layout: NestedLayout;
}) {
  const grow = layout.size === "phone" ? 1 : 3;
  return <rect className="nested-same" {...boxOf(cell, layout, grow)} />;
}

/** The part of a cell that receives the pointer and has its label. */
export function CellHit({
  cell,
  layout,
  label,
  attributes,
}: {
  readonly cell: GridCell;
  readonly layout: NestedLayout;
  readonly label: string;
  readonly attributes: SVGAttributes<SVGRectElement>;
}) {
  return (
    <rect
      className="nested-hit"
      data-level={cell.view.dimension === "guest" ? cell.view.level : undefined}
      {...boxOf(cell, layout, layout.gap / 2)}
      {...attributes}
      aria-label={label}
    />
  );
}

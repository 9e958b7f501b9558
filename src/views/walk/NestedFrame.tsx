/**
 * The frame around the cells: backgrounds of both dimensions, labels of rows and columns, the path of the
 * walk.
 */
import { hexTail } from "../../model/shared/hex";
import type { Grid, GridRow } from "../../model/walk/nested/grid";
import { cellX, rowY } from "../../model/walk/nested/layout";
import type { NestedLayout } from "../../model/walk/nested/layout";
import { rowAddress } from "../../model/walk/nested/text";
import { GlyphMark } from "../shared/Glyph";
import { placesOf } from "../shared/terms/places";

export interface NestedFrameProps {
  readonly grid: Grid;
  readonly layout: NestedLayout;
  /** The physical address that the walk finds; `null` before that. */
  readonly physical: string | null;
}

export function NestedFrame({ grid, layout, physical }: NestedFrameProps) {
  const { rows, hostLevels, words } = grid;
  const { size, ground, foot, cellWidth, cellHeight, columns, guest } = layout;
  const edge = size === "phone" ? 3 : 6;
  const left = columns[0] ?? 0;
  const right = (columns.at(-1) ?? 0) + cellWidth;
  const lastTable = rows.findLastIndex((row) => row.guest);
  const names = layout.top - 8;
  return (
    <>
      <rect
        className="nested-ground host"
        x={left - edge}
        y={ground}
        width={right - left + 2 * edge}
        height={foot - ground - 2}
        rx={6}
      />
      <rect
        className="nested-ground guest"
        x={guest - edge}
        y={ground}
        width={cellWidth + 2 * edge}
        height={rowY(layout, lastTable) + cellHeight + edge - ground}
        rx={6}
      />
      <text className="b host-ink" x={left + 2} y={names - 17}>
        {words.hostGround[size === "full" ? 0 : 1]}
      </text>
      <text
        className="b guest-ink"
        x={guest + cellWidth / 2}
        y={names - 17}
        textAnchor="middle"
      >
        {words.guestGround}
      </text>
      {hostLevels.map((level, column) => (
        <text
          key={level}
          className="mono m host-ink"
          x={cellX(layout, column) + cellWidth / 2}
          y={names}
          textAnchor="middle"
        >
          {words.hostLevel(level)}
        </text>
      ))}
      <text
        className="m guest-ink"
        x={guest + cellWidth / 2}
        y={names}
        textAnchor="middle"
      >
        entry
      </text>
      {rows.map((row, at) => (
        <RowFrame
          key={row.name}
          row={row}
          at={at}
          grid={grid}
          layout={layout}
        />
      ))}
      <DataCell
        y={rowY(layout, rows.length - 1)}
        layout={layout}
        physical={physical}
        name={words.hostPhysical}
      />
    </>
  );
}

interface RowFrameProps {
  readonly row: GridRow;
  readonly at: number;
  readonly grid: Grid;
  readonly layout: NestedLayout;
}

/** The label of a row, its guest-physical address, and the arrows before and after the host's columns. */
function RowFrame({ row, at, grid, layout }: RowFrameProps) {
  const { size, cellHeight, cellWidth, columns, guest, pitch } = layout;
  const y = rowY(layout, at);
  const middle = y + cellHeight / 2;
  const right = (columns.at(-1) ?? 0) + cellWidth;
  const left = columns[0] ?? 0;
  const address = row.view ? rowAddress({ row: at }, grid) : "";
  const tables = grid.rows.findLastIndex((each) => each.guest);
  return (
    <>
      <text
        className={
          row.view
            ? `mono nested-name ${row.name === "data" ? "" : "guest-ink"}`
            : "mono nested-name faint"
        }
        x={0}
        y={size === "phone" ? middle + 5 : middle - 5}
      >
        {row.name}
      </text>
      {size === "full" ? (
        <text className={row.view ? "quiet" : "faint"} x={48} y={middle - 6}>
          {row.view ? row.about : ""}
        </text>
      ) : null}
      {size === "phone" || !row.view ? null : (
        <>
          {size === "full" ? (
            <text className="xs faint" x={0} y={middle + 14}>
              {grid.words.guestPhysicalShort}
            </text>
          ) : null}
          <text
            className="mono xs quiet"
            x={size === "full" ? 28 : 0}
            y={middle + Math.min(14, cellHeight / 2 - 4)}
          >
            {size === "full" ? hexTail(address, 16) : hexTail(address, 9)}
          </text>
        </>
      )}
      {row.violations > 0 ? (
        <Violation
          x={
            size === "full"
              ? 40 + address.length * 6.6
              : size === "compact"
                ? 46
                : 36
          }
          y={size === "full" ? middle + 10 : middle - 10}
        />
      ) : null}
      {row.view && size === "full" ? (
        <Arrow from={left - 26} to={left - 6} y={middle} />
      ) : null}
      {row.view && size !== "phone" ? (
        <Arrow from={right + 2} to={guest - 2} y={middle} />
      ) : null}
      {row.guest && at < tables ? (
        <line
          className="nested-down"
          x1={guest + cellWidth / 2}
          x2={guest + cellWidth / 2}
          y1={y + cellHeight}
          y2={y + pitch}
        />
      ) : null}
    </>
  );
}

/** Marks an EPT violation: the host had to map what this row needs. */
function Violation({ x, y }: { readonly x: number; readonly y: number }) {
  return <GlyphMark outcome="fault" x={x} y={y} size={10} />;
}

/** A line with an arrowhead; an SVG `marker` would need an id that is unique in the page. */
function Arrow({
  from,
  to,
  y,
}: {
  readonly from: number;
  readonly to: number;
  readonly y: number;
}) {
  return (
    <>
      <line className="nested-arrow" x1={from} x2={to - 4} y1={y} y2={y} />
      <path
        className="nested-head"
        d={`M${to - 7} ${y - 4} ${to} ${y} ${to - 7} ${y + 4}Z`}
      />
    </>
  );
}

/** The data, at the end of the last row. */
function DataCell({
  y,
  layout,
  physical,
  name,
}: {
  readonly y: number;
  readonly layout: NestedLayout;
  readonly physical: string | null;
  /** The name of such addresses: `host PA`. */
  readonly name: string;
}) {
  const { size, guest, cellWidth, cellHeight } = layout;
  const middle = guest + cellWidth / 2;
  const room = Math.floor((cellWidth - 8) / (size === "full" ? 7.3 : 6.7));
  return (
    <>
      <rect
        className="nested-data"
        {...placesOf("frame")}
        data-flight={physical === null ? undefined : "walk"}
        x={guest}
        y={y}
        width={cellWidth}
        height={cellHeight}
        rx={2}
      />
      <text
        className={size === "full" ? "quiet" : "xs quiet"}
        x={middle}
        y={y + Math.max(cellHeight / 2 - 7, 12)}
        textAnchor="middle"
      >
        {size === "full" ? `data, ${name}` : size === "compact" ? name : "data"}
      </text>
      <text
        className={size === "full" ? "mono b" : "mono xs b"}
        x={middle}
        y={y + Math.min(cellHeight / 2 + 12, cellHeight - 5)}
        textAnchor="middle"
      >
        {physical === null
          ? "–"
          : physical.length <= room
            ? physical
            : hexTail(physical, room - 1)}
      </text>
    </>
  );
}

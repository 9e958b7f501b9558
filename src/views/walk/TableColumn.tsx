/** One table: a strip for all its entries, with a wedge to five rows around the entry of the walk. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import { cyclesShort } from "../../model/shared/format";
import { hexTail } from "../../model/shared/hex";
import type { Cycles } from "../../model/shared/units";
import { isEmpty, servedRank, tableRows } from "../../model/walk/tables";
import {
  LIT_HEIGHT,
  ROW_HEIGHT,
  STRIP,
  rowTop,
  tickY,
} from "../../model/walk/layout";
import type { WalkLayout } from "../../model/walk/layout";
import { wordsOf } from "../../model/words/words";
import { GlyphMark } from "../shared/Glyph";
import { skipHatch } from "../shared/Patterns";

/** Narrower rows show little more than the index. */
const NARROW = 80;

export interface TableColumnProps {
  readonly level: LevelView;
  /** The left edge. */
  readonly x: number;
  readonly layout: WalkLayout;
  readonly machine: MachineView;
  /** What the entry points to: the next table or the frame. */
  readonly target: string;
  /** Whether the OS wrote the entry just before the walk. */
  readonly isNew: boolean;
  /** Whether software changed the entry around the access. */
  readonly changed: boolean;
  /** Writes the first and the last index next to the strip. */
  readonly ends: boolean;
  /** Why the entry refused the access: `W is 0`; missing if it did not. */
  readonly refused?: string | undefined;
  readonly outlined: boolean;
}

export function TableColumn(props: TableColumnProps) {
  const { level, x, layout, ends, outlined } = props;
  const read = level.state === "read";
  const tick = tickY(layout, level.index, level.n_entries);
  const rows = tableRows(level);
  const top = Math.min(layout.lit, ...rows.map(({ at }) => rowTop(layout, at)));
  const bottom = Math.max(
    layout.lit + LIT_HEIGHT,
    ...rows.map(({ at }) => rowTop(layout, at) + ROW_HEIGHT),
  );
  const left = x + layout.rowsAt;
  const strip = x + STRIP.width;
  return (
    <>
      <text x={x} y={58} className={read ? "b" : "b faint"}>
        {level.table_name}
      </text>
      <text
        x={x + layout.columnWidth}
        y={58}
        className="xs faint"
        textAnchor="end"
      >
        {wordsOf(props.machine).level(level.level)}
      </text>
      <text x={x} y={74} className={read ? "mono xs quiet" : "mono xs faint"}>
        {level.table}
      </text>
      <rect
        x={x}
        y={STRIP.top}
        width={STRIP.width}
        height={layout.stripHeight}
        fill={read ? "var(--sunken)" : skipHatch("combined")}
        stroke="var(--line-strong)"
        strokeOpacity={read ? 1 : 0.8}
      />
      <path
        className="walk-wedge"
        d={`M${strip} ${tick}L${left} ${top}V${bottom}Z`}
        opacity={read ? 1 : 0.6}
      />
      <rect
        className={read ? "walk-tick-read" : "walk-tick"}
        x={x - 2}
        y={tick - 1.5}
        width={STRIP.width + 4}
        height={3}
      />
      {ends ? (
        <>
          <text x={x - 4} y={98} className="xs faint" textAnchor="end">
            0
          </text>
          <text
            x={x - 4}
            y={STRIP.top + layout.stripHeight}
            className="xs faint"
            textAnchor="end"
          >
            {level.n_entries - 1}
          </text>
        </>
      ) : null}
      {rows.map((row) => (
        <g key={row.at}>
          <rect
            className="walk-row"
            x={left}
            y={rowTop(layout, row.at)}
            width={layout.rowsWidth}
            height={ROW_HEIGHT}
          />
          <text
            x={left + 6}
            y={rowTop(layout, row.at) + 15}
            className="mono xs faint"
          >
            {row.index}
          </text>
          {isEmpty(row) ? (
            <text
              x={left + layout.rowsWidth - 8}
              y={rowTop(layout, row.at) + 15}
              className="xs faint"
              textAnchor="end"
            >
              {layout.rowsWidth < NARROW ? "–" : "empty"}
            </text>
          ) : (
            <line
              className="walk-used"
              x1={left + 12 + Math.max(3, String(row.index).length) * 7}
              x2={left + layout.rowsWidth - 8}
              y1={rowTop(layout, row.at) + 11}
              y2={rowTop(layout, row.at) + 11}
            />
          )}
        </g>
      ))}
      {read ? <ReadEntry {...props} /> : <SkippedEntry {...props} />}
      {props.changed ? (
        <>
          <rect
            className="walk-changed"
            x={left - 3}
            y={layout.lit - 3}
            width={layout.rowsWidth + 6}
            height={LIT_HEIGHT + 6}
            rx={3}
          />
          <text
            x={left + layout.rowsWidth - (props.isNew ? newWidth(layout) : 4)}
            y={layout.lit + 16}
            className="xs b"
            textAnchor="end"
          >
            {layout.rowsWidth < NARROW || props.isNew ? "≠" : "changed"}
          </text>
        </>
      ) : null}
      {outlined ? (
        <rect
          className="walk-chosen"
          x={left - 3}
          y={layout.lit - 3}
          width={layout.rowsWidth + 6}
          height={LIT_HEIGHT + 6}
          rx={3}
        />
      ) : null}
    </>
  );
}

/** Shortens `→ 0x5f07000` to the space. */
function fitTarget(target: string, room: number): string {
  const chars = Math.floor(room / 6.6);
  if (target.length + 2 <= chars) return `→ ${target}`;
  return target.length <= chars ? target : hexTail(target, chars - 1);
}

/** The width of the mark of a new entry. */
function newWidth({ rowsWidth }: WalkLayout): number {
  return rowsWidth < NARROW ? 18 : 44;
}

/**
 * Marks an entry that the OS has just written. The word needs space; otherwise only the corner of the picture
 * says it.
 */
function NewMark({
  right,
  lit,
  roomy,
}: {
  readonly right: number;
  /** The top of the entry. */
  readonly lit: number;
  readonly roomy: boolean;
}) {
  if (!roomy)
    return <GlyphMark outcome="fault" x={right - 11} y={lit + 12} size={10} />;
  return (
    <>
      <GlyphMark outcome="fault" x={right - 36} y={lit + 12} size={10} />
      <text x={right - 6} y={lit + 16} className="xs fault b" textAnchor="end">
        new
      </text>
    </>
  );
}

function ReadEntry({
  level,
  x,
  layout,
  machine,
  target,
  isNew,
  refused,
}: TableColumnProps) {
  const left = x + layout.rowsAt;
  const width = layout.rowsWidth;
  // Under the strip, but clear of the address.
  const order = Math.min(x + STRIP.width, left - 13);
  return (
    <>
      <rect
        className={refused === undefined ? "walk-lit" : "walk-lit denied"}
        data-flight={level.leaf ? "walk" : undefined}
        x={left}
        y={layout.lit}
        width={width}
        height={LIT_HEIGHT}
        rx={2}
      />
      <text x={left + 6} y={layout.lit + 17} className="mono index">
        {level.index}
      </text>
      {isNew ? (
        <NewMark
          right={left + width}
          lit={layout.lit}
          roomy={width >= NARROW}
        />
      ) : null}
      {refused === undefined ? (
        <text x={left + 6} y={layout.lit + 33} className="mono xs m">
          {fitTarget(target, width - 8)}
        </text>
      ) : (
        <text x={left + 6} y={layout.lit + 33} className="xs fault b">
          {refused}
        </text>
      )}
      <circle className="walk-order" cx={order} cy={layout.foot - 2} r={9} />
      <text
        x={order}
        y={layout.foot + 2}
        className="order b"
        textAnchor="middle"
      >
        {level.order}
      </text>
      <text x={left} y={layout.foot + 2} className="mono entry">
        {level.entry_address}
      </text>
      {level.served_by === null ? null : (
        <Served
          served={level.served_by}
          cost={level.cycles ?? 0}
          left={left}
          layout={layout}
          machine={machine}
        />
      )}
    </>
  );
}

/** The cache that served the read, under the address. */
function Served({
  served,
  cost,
  left,
  layout,
  machine,
}: {
  readonly served: string;
  readonly cost: Cycles;
  readonly left: number;
  readonly layout: WalkLayout;
  readonly machine: MachineView;
}) {
  const width = layout.rowsWidth;
  const full = `${served} · ${cyclesShort(cost)}`;
  // 6.9 pixels hold a character of the label font, even in a wide font.
  const chip = full.length * 6.9 <= width ? full : `${served} ${cost}`;
  const rank = servedRank(machine, served);
  return (
    <>
      <rect
        className={`walk-served walk-ref${rank}`}
        x={left}
        y={layout.foot + 10}
        width={width}
        height={22}
        rx={3}
      />
      <text
        x={left + width / 2}
        y={layout.foot + 25.5}
        className={`m walk-on${rank}${width < NARROW ? " xs" : ""}`}
        textAnchor="middle"
      >
        {chip}
      </text>
    </>
  );
}

function SkippedEntry({ level, x, layout }: TableColumnProps) {
  const left = x + layout.rowsAt;
  return (
    <>
      <rect
        x={left}
        y={layout.lit}
        width={layout.rowsWidth}
        height={LIT_HEIGHT}
        rx={2}
        fill={skipHatch("combined")}
        stroke="var(--line-strong)"
        strokeDasharray="3 3"
      />
      <rect
        className="walk-plate"
        x={left + 4}
        y={layout.lit + 5}
        width={54}
        height={30}
      />
      <text x={left + 6} y={layout.lit + 17} className="mono index faint">
        {level.index}
      </text>
      <text x={left + 6} y={layout.lit + 33} className="xs faint">
        not read
      </text>
      <text x={left} y={layout.foot + 2} className="mono xs faint">
        {level.entry_address}
      </text>
      <text x={left} y={layout.foot + 25} className="faint">
        skipped
      </text>
    </>
  );
}

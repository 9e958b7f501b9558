/** One slot of an array as a box with its page number, or the last digits of it. */
import type { Outcome } from "../../engine/generated/Outcome";
import { counted } from "../../model/shared/format";
import { keyLabel } from "../../model/tlb/array";
import type { ArrayEntry } from "../../model/tlb/array";

export interface CellProps {
  readonly entry: ArrayEntry | null;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The age: 0 for recent to 3 for old. */
  readonly age: number;
  /** Whether the next fill of the set takes this slot. */
  readonly next: boolean;
  /** The outcome, if the access hit or filled this slot. */
  readonly mark: Outcome | null;
  /** Whether the filter hides the entry: only the frame is drawn. */
  readonly dim: boolean;
  /** A text instead of the last digits of the key. */
  readonly label?: string;
}

/** Estimated digit width of the cell font in pixels, enough for wider fonts. */
const DIGIT = 7.2;
const SMALL_DIGIT = 6.7;
/** The height of a line in the small font. */
const SMALL_LINE = 11;
/** Narrower cells use the small font. */
const NARROW = 34;

export function Cell({
  entry,
  x,
  y,
  width,
  height,
  age,
  next,
  mark,
  dim,
  label,
}: CellProps) {
  const lines =
    !entry || dim
      ? []
      : label === undefined
        ? keyLines(entry.key, width, height)
        : [label];
  const middle = x + width / 2;
  const isTall = entry !== null && height >= 40 && width >= 100;
  const base = y + height / 2 + (isTall ? -3 : 4);
  const kind = dim || !entry ? "empty" : entry.table ? "table" : `age${age}`;
  return (
    <>
      <rect
        className={`tlb-cell tlb-cell-${mark && !dim ? mark : kind}${entry?.prefetched ? " prefetched" : ""}`}
        x={x}
        y={y}
        width={width}
        height={height}
        rx={2}
      />
      {lines.map((text, at) => (
        <text
          key={at}
          x={middle}
          y={base + (at - (lines.length - 1) / 2) * SMALL_LINE}
          className={`mono${height < 20 || width < NARROW ? " xs" : ""}${mark ? ` b ink-${mark}` : ""}`}
          textAnchor="middle"
        >
          {text}
        </text>
      ))}
      {isTall && !dim ? (
        <text x={middle} y={base + 16} className="xs quiet" textAnchor="middle">
          {counted(entry.hits, "hit")}
        </text>
      ) : null}
      {next ? (
        <path
          className="tlb-corner"
          d={`M${x + width} ${y + height - 8}v8h-8z`}
        />
      ) : null}
    </>
  );
}

/** The last digits of a key that fit the cell. Narrow cells use smaller digits, and two lines if they are high. */
function keyLines(key: bigint, width: number, height: number): string[] {
  const digits = Math.floor((width - 4) / DIGIT) - 1;
  if (width >= NARROW && digits >= 3) return [keyLabel(key, digits)];
  const small = Math.floor((width - 2) / SMALL_DIGIT);
  if (small < 3) return [];
  const one = keyLabel(key, small - 1);
  if (height < 2 * SMALL_LINE || !one.startsWith("…")) return [one];
  const two = keyLabel(key, 2 * small - 1);
  const half = Math.ceil(two.length / 2);
  return [two.slice(0, -half), two.slice(-half)];
}

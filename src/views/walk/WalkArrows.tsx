/** The path of the walk: from CR3 through the tables that were read, or over skipped ones. */
import type { TranslationView } from "../../engine/generated/TranslationView";
import { outcomeColour } from "../../model/shared/outcome";
import { LIT_HEIGHT } from "../../model/walk/layout";
import type { WalkLayout } from "../../model/walk/layout";

export interface WalkArrowsProps {
  readonly translation: TranslationView;
  readonly layout: WalkLayout;
  /** The number of tables that a walk cache skipped. */
  readonly skipped: number;
  /** Whether a TLB hit, so that there was no walk. */
  readonly hit: boolean;
  /** The number of tables that the walk has reached. */
  readonly reached: number;
  /** Whether the last entry refused the access: no arrow leads on from it. */
  readonly isRefused: boolean;
}

export function WalkArrows({
  translation,
  layout,
  skipped,
  hit,
  reached,
  isRefused,
}: WalkArrowsProps) {
  const { compact, columns, columnWidth, rowsAt, rowsWidth, pageX, pageWidth } =
    layout;
  const tables = columns.length;
  const start = layout.lines?.x ?? columns[0] ?? 0;
  const middle = layout.lit + LIT_HEIGHT / 2;
  const right = (at: number) => (columns[at] ?? 0) + rowsAt + rowsWidth;
  const target = (at: number) =>
    at < tables ? (columns[at] ?? 0) - 3 : pageX - 3;
  const ink = outcomeColour(hit ? translation.outcome : "walk");
  const bannerEnd = (columns[skipped - 1] ?? 0) + columnWidth;
  const last = (columns.at(-1) ?? 0) + columnWidth;
  return (
    <g>
      {columns.map((_, at) => {
        const taken = !hit && at >= skipped;
        // The banner's arrow replaces the step from the last skipped table.
        if (!taken && !hit && at === skipped - 1) return null;
        if (isRefused && at === tables - 1) return null;
        const from = right(at);
        const to = target(at + 1);
        const bend = Math.min(18, (to - from) * 1.2);
        return taken ? (
          <Arrow
            key={at}
            ink={ink}
            toCome={at >= reached}
            d={`M${from} ${middle}C${from + bend} ${middle} ${to - bend} 95 ${to} 95`}
          />
        ) : (
          <path
            key={at}
            className="walk-not-taken"
            d={`M${from} ${middle}C${from + 12} ${middle} ${to - 9} 94 ${to + 2} 94`}
          />
        );
      })}
      {hit ? (
        <Arrow ink={ink} d={`M${last} 23H${pageX + pageWidth / 2}V42`} />
      ) : skipped > 0 ? (
        <>
          {compact ? null : <Arrow ink={ink} d="M12 44V23H77" />}
          <Arrow
            ink={ink}
            d={`M${bannerEnd} 23H${(columns[skipped] ?? 0) + columnWidth / 2}V42`}
          />
        </>
      ) : compact ? (
        <Arrow ink={ink} d={`M${start + 8} 25V44`} />
      ) : (
        <Arrow ink={ink} d={`M30 54H${start - 4}`} />
      )}
    </g>
  );
}

/** The direction at the end of a path, in degrees: paths end with `H`, `V` or a flat curve. */
function endAngle(d: string): number {
  return /V[\d.]+$/.test(d) ? 90 : 0;
}

/**
 * A line with an arrowhead in its own colour; an SVG `marker` would need an id that is unique in the page.
 */
export function Arrow({
  d,
  ink,
  toCome = false,
}: {
  readonly d: string;
  readonly ink: string;
  readonly toCome?: boolean;
}) {
  const [x, y] = endPoint(d);
  return (
    <g className={toCome ? "walk-to-come" : undefined}>
      <path className="walk-arrow" d={d} stroke={ink} />
      <path
        d="M-10 -5 1 0 -10 5Z"
        fill={ink}
        transform={`translate(${x} ${y}) rotate(${endAngle(d)})`}
      />
    </g>
  );
}

/** The last point of a path made of `M`, `H`, `V` and `C`. */
function endPoint(d: string): [number, number] {
  let x = 0;
  let y = 0;
  for (const [, command = "", list = ""] of d.matchAll(/([MHVC])([^MHVC]*)/g)) {
    const numbers = list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    if (command === "H") x = numbers[0] ?? x;
    else if (command === "V") y = numbers[0] ?? y;
    else {
      x = numbers.at(-2) ?? x;
      y = numbers.at(-1) ?? y;
    }
  }
  return [x, y];
}

/** The styles of a chart's lines: colour, dash and mark by their meaning. */
import { X86_SIZES } from "../../../engine/generated/words";
import { bytesOf } from "../pageSizes";
import type { Series } from "../../../engine/generated/Series";
import type { CssPixels } from "../units";

export type MarkShape = "square" | "hollow" | "dot" | "ring" | "none";

export interface LineStyle {
  /** A value of `stroke`. */
  readonly colour: string;
  /** A value of `stroke-dasharray`; missing = solid. */
  readonly dash: string | undefined;
  readonly width: CssPixels;
  readonly shape: MarkShape;
  /** The size of a mark: its side or diameter. */
  readonly size: CssPixels;
}

interface PageStyle {
  readonly colour: string;
  readonly dash: string | undefined;
  readonly size: CssPixels;
}

/** One style per page size: the square grows with it. */
const PAGES: readonly PageStyle[] = [
  { colour: "var(--chart-4k)", dash: undefined, size: 6 },
  { colour: "var(--chart-2m)", dash: "7 4", size: 7.5 },
  { colour: "var(--chart-1g)", dash: "2 3", size: 9 },
];

/** Lines without a page size are black or white and differ by their dashes. */
const INK: readonly (readonly [string, string | undefined])[] = [
  ["var(--text)", undefined],
  ["var(--text-3)", undefined],
  ["var(--text)", "7 4"],
  ["var(--text-3)", "7 4"],
  ["var(--text)", "2 3"],
  ["var(--text-3)", "2 3"],
  ["var(--text)", "10 3 2 3"],
  ["var(--text-3)", "10 3 2 3"],
];

/** Dashes for lines with the same colour. */
const DASHES: readonly (string | undefined)[] = [
  undefined,
  "7 4",
  "2 3",
  "10 3 2 3",
  "14 4",
];

/** A line with more points than this has no marks. */
const MANY = 48;

/**
 * A colour step for each page size: those of x86 have fixed ones, other sizes use their rank. If there are
 * more sizes than steps, neighbours share a colour and differ by their dashes.
 */
function pageStep(pages: string, all: readonly string[]): number {
  const sizes = [...new Set(all)].sort((a, b) => bytesOf(a) - bytesOf(b));
  const ranks = sizes.every((size) => X86_SIZES.includes(size))
    ? X86_SIZES
    : sizes;
  const rank = ranks.indexOf(pages);
  const n = Math.max(ranks.length, PAGES.length);
  return Math.floor((rank * PAGES.length) / n);
}

export function lineStyles(series: readonly Series[]): readonly LineStyle[] {
  const sizes = series.flatMap(({ pages }) => pages ?? []);
  const steps = series.map(({ pages }) =>
    pages === undefined ? undefined : pageStep(pages, sizes),
  );
  return series.map((line, at) => {
    const step = steps[at];
    const page = step === undefined ? undefined : PAGES[step];
    const hasMarks = line.points.length <= MANY;
    switch (line.kind) {
      case "published":
        return {
          colour: page?.colour ?? "var(--text)",
          dash: undefined,
          width: 0,
          shape: "ring",
          size: 11,
        };
      case "derived":
        return {
          colour: page?.colour ?? "var(--chart-floor)",
          dash: "1 3",
          width: 1.5,
          shape: "none",
          size: 0,
        };
      case "simulated": {
        // The number of earlier lines that would look the same.
        const nth = series
          .slice(0, at)
          .filter(
            (each, n) => each.kind === line.kind && steps[n] === step,
          ).length;
        // The list is not empty.
        const [ink, dash] = INK[nth % INK.length] as (typeof INK)[number];
        const shape = page ? (nth % 2 === 0 ? "square" : "hollow") : "dot";
        const dashes = [page?.dash, ...DASHES.filter((d) => d !== page?.dash)];
        return {
          colour: page?.colour ?? ink,
          dash: page ? dashes[nth % dashes.length] : dash,
          width: 2,
          shape: hasMarks ? shape : "none",
          size: page?.size ?? 5,
        };
      }
    }
  });
}

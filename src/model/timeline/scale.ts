/** Scales of the timeline: the cropping of the outcome axis, ticks, and shades of density. */
import { ticks, tickStep } from "d3-array";
import { count } from "../shared/format";
import { missShare } from "./counts";
import type { Span, TimelineColumns } from "./counts";
import type { AccessIndex, CssPixels, Share, TextScale } from "../shared/units";

/** The outcome axis shows everything, the range of the misses but at least 1 %, or their range alone. */
export type Crop = "crop" | "full" | "fine";

/** The possible ends of a cropped axis, times a power of ten. */
const ENDS = [1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10];
/** The space above the highest bar. */
const HEADROOM = 1.06;
/** Bars above this multiple of the usual height are cut off, so that they do not flatten all others. */
const OUTLIER = 3;
/** With fewer bars than this there is no usual height. */
const ENOUGH = 20;
const LEAST: Share = 0.0001;
/** An axis that ends lower makes few misses look like many, so it is a choice of the reader. */
const LEAST_CROP: Share = 0.01;

/**
 * The top of the cropped axis: a round number above the highest bar, or above the 95th percentile of the bars
 * if a few are much higher. 1 if a crop gains nothing or there is no bar.
 */
export function cropFor(timeline: TimelineColumns): Share {
  const bars = Array.from(timeline.translations, (_, bin) =>
    missShare(timeline, bin),
  )
    .filter((share) => share > 0)
    .sort((a, b) => a - b);
  const highest = bars.at(-1);
  if (highest === undefined) return 1;
  const usual = bars[Math.floor(bars.length * 0.95)] ?? 0;
  const towering = bars.length >= ENOUGH && highest > OUTLIER * usual;
  const top = roundUp(Math.max(LEAST, (towering ? usual : highest) * HEADROOM));
  return top > 0.6 ? 1 : top;
}

/** The ends of the axis, the lowest first, with the choices that select them. */
export function axisEnds(
  cropped: Share,
): readonly { readonly value: Crop; readonly top: Share }[] {
  const fine = { value: "fine", top: cropped } as const;
  const crop = { value: "crop", top: Math.max(LEAST_CROP, cropped) } as const;
  const full = { value: "full", top: 1 } as const;
  return [
    ...(cropped < crop.top ? [fine] : []),
    ...(crop.top < 1 ? [crop] : []),
    full,
  ];
}

/** The end of a choice; another one if the axis has no such end. */
export function axisEnd(cropped: Share, choice: Crop) {
  const ends = axisEnds(cropped);
  const of = (wanted: Crop) => ends.find(({ value }) => value === wanted);
  return of(choice) ?? of("crop") ?? { value: "full" as const, top: 1 };
}

/** The number of bars that are taller than the axis. */
export function barsAbove(timeline: TimelineColumns, top: Share): number {
  return timeline.translations.reduce(
    (n, _, bin) => n + (missShare(timeline, bin) > top ? 1 : 0),
    0,
  );
}

function roundUp(share: Share): Share {
  const power = 10 ** Math.floor(Math.log10(share));
  // The tolerance keeps 0.03 from becoming 0.035 by a rounding error.
  const end =
    ENDS.find((candidate) => candidate * power >= share * (1 - 1e-9)) ?? 10;
  return Number((end * power).toPrecision(3));
}

export interface Tick<T> {
  readonly at: T;
  readonly label: string;
}

/** The least distance between two labels of the outcome axis. */
const TICK_PITCH: CssPixels = 14;

/** Ticks of the outcome axis, with as many decimals as they need. */
export function shareTicks(
  top: Share,
  height: CssPixels,
  text: TextScale = 1,
): Tick<Share>[] {
  const percents = top * 100;
  const steps = [5, 4, 3, 2, 1].map((wanted) => tickStep(0, percents, wanted));
  const step =
    steps.find(
      (candidate) => (candidate / percents) * height >= TICK_PITCH * text,
    ) ?? percents;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Array.from(
    { length: Math.floor(percents / step + 1e-9) + 1 },
    (_, i) => ({
      at: (i * step) / 100,
      label: `${(i * step).toFixed(i === 0 ? 0 : decimals)} %`,
    }),
  );
}

/** The extent of the axis as the switch names it: `0 to 4.5 %`. */
export function extentLabel(top: Share): string {
  return `0 to ${Number((top * 100).toPrecision(3))} %`;
}

/** Ticks of the trace's axis: round access numbers, with space for their labels. */
export function accessTicks(
  { from, to }: Span,
  width: CssPixels,
  text: TextScale = 1,
): Tick<AccessIndex>[] {
  const labelWidth = (count(to).length * 6.5 + 60) * text;
  const wanted = Math.max(1, Math.floor(width / labelWidth));
  return ticks(from, to, wanted)
    .filter((at) => Number.isInteger(at))
    .map((at) => ({ at, label: count(at) }));
}

/** Shades of density without the one for zero, the darkest last. */
export const DENSITY_STEPS = 4;

/** The largest number of accesses of each shade: equal ratios up to the densest cell. */
export function densityLimits(max: number): number[] {
  return Array.from({ length: DENSITY_STEPS }, (_, step) =>
    step === DENSITY_STEPS - 1
      ? max
      : Math.floor(max ** ((step + 1) / DENSITY_STEPS)),
  );
}

/** 0 for no access, otherwise the shade from 1 to 4. */
export function densityStep(n: number, limits: readonly number[]): number {
  if (n === 0) return 0;
  const step = limits.findIndex((limit) => n <= limit);
  return step === -1 ? limits.length : step + 1;
}

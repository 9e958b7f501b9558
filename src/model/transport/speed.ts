/** Speeds of the replay: 1 to 10⁶ accesses per second, three steps to a power of ten. */
import { count } from "../shared/format";
import type { Speed } from "../shared/units";

const POWERS = 6;

/** The steps 1, 2, 5, 10, …, 1,000,000. */
export const SPEEDS: readonly Speed[] = Array.from(
  { length: 3 * POWERS + 1 },
  (_, i) => ([1, 2, 5][i % 3] ?? 1) * 10 ** Math.floor(i / 3),
);

/** The step nearest to a speed, by ratio. */
export function speedStep(speed: Speed): number {
  const distance = (other: Speed) =>
    Math.abs(Math.log(other / Math.max(speed, 0.1)));
  return SPEEDS.reduce(
    (best, other, i) =>
      distance(other) < distance(SPEEDS[best] ?? 1) ? i : best,
    0,
  );
}

/** The speed of a step; the nearest end outside the scale. */
export function speedAt(step: number): Speed {
  return (
    SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, Math.round(step)))] ?? 1
  );
}

/** The speed for screen readers: `1,000 accesses per second`. */
export function speedSentence(speed: Speed): string {
  return `${count(speed)} ${speed === 1 ? "access" : "accesses"} per second`;
}

/** Speeds of the replay in accesses per second. */
import { count, superscript } from "../shared/format";
import type { Speed } from "../shared/units";

/** From one that can be read to one that crosses a trace in a second. */
export const SPEEDS: readonly Speed[] = [1, 2, 10, 1000, 1_000_000];

/** A short word: `2`, `10`, `10³`. */
export function speedWord(speed: Speed): string {
  return speed < 1000
    ? count(speed)
    : `10${superscript(Math.round(Math.log10(speed)))}`;
}

/** The key of a walk cache as table indices. */
import type { LevelView } from "../../engine/generated/LevelView";
import { bitField } from "../shared/hex";
import type { CssPixels } from "../shared/units";

/** The width of a character in a cell. */
const CHAR: CssPixels = 7.2;

/**
 * The indices of a key, `254 · 232 · 225` for a PDE, shortened from the left to the space: `…225`. The levels
 * say how many bits each index has.
 */
export function prefixLabel(
  key: bigint,
  keyShift: number,
  levels: readonly LevelView[],
  width: CssPixels,
): string {
  const address = key << BigInt(keyShift);
  const indices = levels
    .filter((level) => level.shift >= keyShift)
    .map((level) => String(bitField(address, level.shift, level.bits)));
  const room = Math.floor((width - 4) / CHAR);
  for (let from = 0; from < indices.length; from++) {
    const text = (from > 0 ? "…" : "") + indices.slice(from).join("·");
    if (text.length <= room) return text;
  }
  return "";
}

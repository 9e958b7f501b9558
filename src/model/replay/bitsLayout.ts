/** The positions of the address bits in the picture, in pixels. */
import type { BitField } from "./bits";
import type { CssPixels } from "../shared/units";

export interface BitLayout {
  readonly width: CssPixels;
  /** The boxes of the fields, in order. */
  readonly boxes: readonly {
    readonly x: CssPixels;
    readonly width: CssPixels;
  }[];
  /** The right edge of a bit's cell. */
  readonly x: (bit: number) => CssPixels;
  /** The width of a bit's cell. */
  readonly pitch: (bit: number) => CssPixels;
  /** The left edge of the box that starts with this bit, or of the bit itself inside a box. */
  readonly left: (bit: number) => CssPixels;
  readonly right: (bit: number) => CssPixels;
}

const PITCH: CssPixels = 9.6;
/** With 57 bits the digits are closer, so that the band does not grow by a fifth. */
const PITCH_LONG: CssPixels = 8.8;
/** A small machine has few bits, and space for the words of each part. */
const PITCH_SMALL: CssPixels = 29;
/** As many bits on a phone. */
const PITCH_TIGHT: CssPixels = 20;
const SMALL_BITS = 16;
const PAD: CssPixels = 3;
const GAP: CssPixels = 8;
/** Pixels per character of the name and index above a box. */
const NAME_CHAR: CssPixels = 7;
const VALUE_CHAR: CssPixels = 9.1;

/** `isTight` is for a small machine on a phone. */
export function bitLayout(
  fields: readonly BitField[],
  isTight = false,
): BitLayout {
  const bits = fields.reduce((sum, { high, low }) => sum + high - low + 1, 0);
  const small = isTight ? PITCH_TIGHT : PITCH_SMALL;
  const plain = bits > 48 ? PITCH_LONG : bits > SMALL_BITS ? PITCH : small;
  let at = 0;
  const boxes = fields.map(({ name, value, high, low }) => {
    const count = high - low + 1;
    const head = name.length * NAME_CHAR + value.length * VALUE_CHAR + 10;
    const width = Math.max(count * plain + 2 * PAD, head);
    const box = { x: at, width, pitch: (width - 2 * PAD) / count, high, low };
    at += width + GAP;
    return box;
  });
  const boxOf = (bit: number) =>
    boxes.find(({ high, low }) => bit <= high && bit >= low) ?? boxes[0];
  const pitch = (bit: number) => boxOf(bit)?.pitch ?? plain;
  const x = (bit: number) => {
    const box = boxOf(bit);
    return box ? box.x + PAD + (box.high - bit + 1) * box.pitch : 0;
  };
  return {
    width: at - GAP,
    boxes,
    x,
    pitch,
    left: (bit) => {
      const box = boxOf(bit);
      return box?.high === bit ? box.x : x(bit) - pitch(bit);
    },
    right: (bit) => {
      const box = boxOf(bit);
      return box?.low === bit ? box.x + box.width : x(bit);
    },
  };
}

/**
 * Named units. A plain number enters any of them freely (a literal, a count from the engine), but one unit is not
 * accepted where another is expected: a bin can never be taken for a row, nor a CSS pixel for a device pixel.
 */
export type Unit<T, Name extends string> = T & { readonly unit?: Name };

/** Position in the trace, from 0. */
export type AccessIndex = Unit<number, "access">;
/** A column of the timeline, from 0 at the left. */
export type BinIndex = Unit<number, "bin">;
/** A row of the address × time picture, from 0 at the top. */
export type RowIndex = Unit<number, "row">;
/** Part of a whole, 0 to 1. */
export type Share = Unit<number, "share">;
export type Cycles = Unit<number, "cycles">;
export type Bytes = Unit<number, "bytes">;
export type Milliseconds = Unit<number, "ms">;
/** Accesses per second of the replay. */
export type Speed = Unit<number, "accesses/s">;
/** log2 of a page's bytes: 12 is 4K. */
export type PageShift = Unit<number, "page shift">;
/** Layout pixels, as in style sheets. */
export type CssPixels = Unit<number, "css px">;
/** Size of the reader's text: 1 where the root's font is 16 px. Layouts that hold text grow with it. */
export type TextScale = Unit<number, "text scale">;
/** Pixels of a canvas' backing store: CSS pixels times the device's ratio. */
export type DevicePixels = Unit<number, "device px">;

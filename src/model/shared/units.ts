/**
 * Named units. A plain number fits any of them (a literal, a count from the engine), but one unit does not
 * fit another: a bin cannot be used as a row, nor a CSS pixel as a device pixel.
 */
export type Unit<T, Name extends string> = T & { readonly unit?: Name };

/** Position in the trace, from 0. */
export type AccessIndex = Unit<number, "access">;
/** A column of the timeline, from 0 on the left. */
export type BinIndex = Unit<number, "bin">;
/** A row of the address × time picture, from 0 at the top. */
export type RowIndex = Unit<number, "row">;
/** A part of a whole, 0 to 1. */
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
/** The user's text size: 1 if the root font is 16 px. Layouts with text grow with it. */
export type TextScale = Unit<number, "text scale">;
/** Pixels of a canvas: CSS pixels times the device's pixel ratio. */
export type DevicePixels = Unit<number, "device px">;

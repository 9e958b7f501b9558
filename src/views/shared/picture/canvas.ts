/** The context that all parts of a picture share. */
export interface Canvas {
  /** The position of the picture's corner on the screen. */
  readonly origin: { readonly x: number; readonly y: number };
  /** Definitions that drawings refer to: patterns, clips. */
  readonly defs: SVGElement;
  /** The background that is left out; missing = none. */
  readonly clear?: string;
}

/** The most milliseconds that a page may take for any step. A slow machine is no error. */
export const PATIENCE_MS = 90_000;

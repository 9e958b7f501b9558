/** How long a page may take for anything, in milliseconds: a slow machine is no error. */
export const PATIENCE_MS = 90_000;

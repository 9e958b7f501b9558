/** What `pagewalk open` serves with the page. */
import type { KeptTraces } from "./kept";

export interface ServedHooks {
  readonly signal: AbortSignal;
  /** Called when the name and the size are known, and for each piece: bytes so far. */
  readonly onProgress: (name: string, size: number, done: number) => void;
}

export interface ServedService {
  /** Keeps traces as long as the page. */
  readonly kept: KeptTraces;
  /** Takes the token out of the address bar. The tab keeps it, so that the page can be loaded again. Without a trace, there is none. */
  token(): string | undefined;
  /** Throws an `Error` that says what failed. */
  fetch(
    token: string,
    hooks: ServedHooks,
  ): Promise<{ readonly name: string; readonly file: Blob }>;
}

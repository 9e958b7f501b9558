/** Fetching traces from addresses, as the browser does it. */

import type { ServedService } from "./servedService";

export interface RemoteHooks {
  readonly signal: AbortSignal;
  /** Bytes so far, and of all if the server says it. */
  readonly onProgress: (done: number, total: number | undefined) => void;
}

export interface RemoteService {
  readonly served: ServedService;
  /** The whole address of what a link names; throws an `Error` that says why it must not be fetched. */
  resolve(address: string): {
    readonly address: string;
    readonly host: string;
    readonly isOwn: boolean;
  };
  /** Asks for the size, and where redirects lead; `undefined` if the server does not say. */
  look(
    address: string,
    signal: AbortSignal,
  ): Promise<
    { readonly address: string; readonly size: number | undefined } | undefined
  >;
  /** Throws an `Error` that says what failed. */
  fetch(address: string, hooks: RemoteHooks): Promise<Blob>;
}

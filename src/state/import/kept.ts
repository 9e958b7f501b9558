/** The storage of imported traces across reloads. */
import type { KeptTrace } from "../../model/import/keptTrace";

export interface KeptTraces {
  /** The kept traces, newest first. */
  list(): Promise<readonly KeptTrace[]>;
  /** Replaces a trace with the same hash. A failure loses nothing. */
  put(trace: KeptTrace, file: Blob): Promise<void>;
  /** The file and its data; `undefined` if it is not kept. */
  get(hash: string): Promise<{ trace: KeptTrace; file: Blob } | undefined>;
  remove(hash: string): Promise<void>;
  clear(): Promise<void>;
}

/** Why a trace cannot be kept or read. */
export type KeepFailure =
  /** The browser gives the site no more space. */
  | "no-room"
  /** The browser keeps nothing for this site, as in some private windows. */
  | "not-allowed"
  /** What is kept was written by a newer version of the app. */
  | "newer"
  /** Anything else. */
  | "failed";

export class KeepError extends Error {
  readonly why: KeepFailure;

  constructor(why: KeepFailure, message: string) {
    super(message);
    this.name = "KeepError";
    this.why = why;
  }
}

/** What the app needs of whatever keeps imported traces across reloads. */
import type { Completeness } from "../../engine/generated/Completeness";

/** What is known of a trace that is kept, without reading it. */
export interface KeptTrace {
  /** The same for traces of the same contents. */
  readonly hash: string;
  /** The file that it was imported from. */
  readonly name: string;
  readonly format: string;
  readonly completeness: Completeness;
  /** The file had more. */
  readonly part?: boolean;
  readonly accesses: number;
  /** Of the kept form. */
  readonly bytes: number;
  /** When it was imported, in milliseconds since 1970. */
  readonly date: number;
}

export interface KeptTraces {
  /** The newest first. */
  list(): Promise<readonly KeptTrace[]>;
  /** Takes the place of a trace with the same hash. Nothing is lost where it fails. */
  put(trace: KeptTrace, file: Blob): Promise<void>;
  /** The file, and what is known of it; `undefined` if it is not kept. */
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

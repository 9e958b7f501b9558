/** An imported trace that the browser keeps. */
import type { Completeness } from "../../engine/generated/Completeness";

/** The data of a kept trace that is known without reading it. */
export interface KeptTrace {
  /** A hash of the contents: equal traces have equal hashes. */
  readonly hash: string;
  /** The name of the imported file. */
  readonly name: string;
  readonly format: string;
  readonly completeness: Completeness;
  /** Whether the trace is partial. */
  readonly part?: boolean;
  readonly accesses: number;
  /** Size of the stored trace in bytes. */
  readonly bytes: number;
  /** The trace as a link carries it, if it is small enough. */
  readonly data?: string;
  /** When it was imported, in milliseconds since 1970. */
  readonly date: number;
}

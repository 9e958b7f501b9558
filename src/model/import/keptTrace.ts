/** An imported trace that the browser keeps. */
import type { Completeness } from "../../engine/generated/Completeness";
import type { Carried } from "../permalink/permalink";

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
  /** How a link carries it, if it can. */
  readonly carried?: Carried;
  /** When it was imported, in milliseconds since 1970. */
  readonly date: number;
}

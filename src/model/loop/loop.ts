/** Loops that a user writes: their names, their limits, and the result of a run. */

/** The part of a loop that is saved, linked to and run. */
export interface LoopCode {
  readonly name: string;
  readonly code: string;
}

/** A region that a loop created. */
export interface LoopArray {
  readonly name: string;
  /** Addresses are below 2⁴⁷, so that numbers can hold them. */
  readonly start: number;
  readonly length: number;
  /** Bytes per element. */
  readonly size: number;
}

export interface LoopResult {
  readonly accesses: number;
  readonly milliseconds: number;
  readonly arrays: readonly LoopArray[];
  /** The text that the code wrote with `console.log`. */
  readonly log: readonly string[];
}

export interface LoopProblem {
  readonly message: string;
  /** The line of the error, from 1; missing if it has none. */
  readonly line?: number;
}

export type LoopRun =
  | { readonly status: "running"; readonly accesses: number }
  | { readonly status: "failed"; readonly problem: LoopProblem }
  /** `code` is what ran: what is written now may differ. */
  | {
      readonly status: "done";
      readonly code: string;
      readonly result: LoopResult;
    };

export interface LoopState extends LoopCode {
  /** The code as a link holds it; `undefined` while it is being compressed, and if it is too long. */
  readonly packed: string | undefined;
  readonly isTooLong: boolean;
  readonly run: LoopRun | undefined;
}

export const LOOP_LIMITS = {
  accesses: 20_000_000,
  seconds: 10,
  /** The largest length of the code in characters. */
  code: 100_000,
} as const;

/** The largest length in a link: mail and chat programs keep such a link whole. */
export const LINK_MOST = 4_000;

export const NOT_LOADED =
  "The part that runs loops could not be loaded: reload the page and run it again.";

/** The name of a loop without one. */
export function loopName(name: string): string {
  const short = name.trim().slice(0, 80);
  return short === "" ? "my loop" : short;
}

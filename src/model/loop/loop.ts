/** Loops that a user writes: what they are called, what they may do, what a run of one came to. */

/** The least that a loop is: it can be kept, linked to and run. */
export interface LoopCode {
  readonly name: string;
  readonly code: string;
}

/** A region that a loop made. */
export interface LoopArray {
  readonly name: string;
  /** Addresses are below 2⁴⁷, so that numbers hold them. */
  readonly start: number;
  readonly length: number;
  /** Bytes of an element. */
  readonly size: number;
}

export interface LoopResult {
  readonly accesses: number;
  readonly milliseconds: number;
  readonly arrays: readonly LoopArray[];
  /** What the code wrote with `console.log`. */
  readonly log: readonly string[];
}

export interface LoopProblem {
  readonly message: string;
  /** Of the code, from 1; missing where no line is to blame. */
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
  /** The code as a link holds it; `undefined` while it is packed, and where it is too long. */
  readonly packed: string | undefined;
  readonly isTooLong: boolean;
  readonly run: LoopRun | undefined;
}

export const LOOP_LIMITS = {
  accesses: 20_000_000,
  seconds: 10,
  /** Letters of the code. */
  code: 100_000,
} as const;

/** Letters of a packed text in a link: what mail and chat programs leave whole. */
export const LINK_MOST = 4_000;

/** What stands where the user cleared the name. */
export function loopName(name: string): string {
  const short = name.trim().slice(0, 80);
  return short === "" ? "my loop" : short;
}

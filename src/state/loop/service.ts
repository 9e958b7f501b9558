/** The browser services for loops. */
import type { LoopCode, LoopProblem, LoopResult } from "../../model/loop/loop";

export interface LoopHooks {
  readonly signal: AbortSignal;
  /** The number of accesses so far. */
  readonly onProgress: (accesses: number) => void;
}

export interface LoopFile {
  /** The accesses in the importer's format. */
  readonly file: Blob;
  readonly result: LoopResult;
}

export interface LoopService {
  /** Runs untrusted code; `undefined` if it was aborted. */
  run(
    code: string,
    hooks: LoopHooks,
  ): Promise<LoopFile | LoopProblem | undefined>;
  /** Compresses a text into a word for links. */
  pack(code: string): Promise<string>;
  /** Throws if the word is damaged, or holds more than `most` characters. */
  unpack(word: string, most: number): Promise<string>;
  /** The one or two programs written last in this browser; none before the first. */
  kept(): readonly LoopCode[];
  keep(loops: readonly LoopCode[]): void;
}

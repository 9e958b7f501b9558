/** What the actions of loops need of the browser. */
import type { LoopCode, LoopProblem, LoopResult } from "../../model/loop/loop";

export interface LoopHooks {
  readonly signal: AbortSignal;
  /** Accesses so far. */
  readonly onProgress: (accesses: number) => void;
}

export interface LoopFile {
  /** Its accesses, as the importer reads them. */
  readonly file: Blob;
  readonly result: LoopResult;
}

export interface LoopService {
  /** Runs code that is not trusted; `undefined` if it was aborted. */
  run(
    code: string,
    hooks: LoopHooks,
  ): Promise<LoopFile | LoopProblem | undefined>;
  /** A text as a word of a link. */
  pack(code: string): Promise<string>;
  /** Throws where the word is damaged, or holds more than `most` letters. */
  unpack(word: string, most: number): Promise<string>;
  /** What was written in this browser last. */
  kept(): LoopCode | undefined;
  keep(loop: LoopCode): void;
}

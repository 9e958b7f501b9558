/** The browser services of the screen Code. */
import type { Packing, ProgramService } from "./programService";
import type {
  ProgramText,
  CodeProblem,
  CodeResult,
} from "../../model/code/code";

export interface CodeHooks {
  readonly signal: AbortSignal;
  /** The number of accesses so far. */
  readonly onProgress: (accesses: number) => void;
  readonly packing?: Packing;
}

export interface CodeFile {
  /** The accesses in the importer's format. */
  readonly file: () => Blob;
  readonly result: CodeResult;
}

export interface CodeService {
  /** Runs programs in C, C++ and WebAssembly. Loads on use. */
  programs(): Promise<ProgramService>;
  /** Runs untrusted code; `undefined` if it was aborted. */
  run(
    code: string,
    hooks: CodeHooks,
  ): Promise<CodeFile | CodeProblem | undefined>;
  /** Compresses a text into a word for links. */
  pack(code: string): Promise<string>;
  /** Throws if the word is damaged, or holds more than `most` characters. */
  unpack(word: string, most: number): Promise<string>;
  /** The one or two programs written last in this browser; none before the first. */
  kept(): readonly ProgramText[];
  keep(programs: readonly ProgramText[]): void;
}

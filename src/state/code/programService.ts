/** The browser services for programs in C, C++ and WebAssembly. */
import type {
  CompilerState,
  ProgramCode,
  ProgramFile,
  ProgramProblem,
  ProgramStep,
} from "../../model/code/program";

export interface ProgramHooks {
  readonly signal: AbortSignal;
  readonly onStep: (step: ProgramStep) => void;
  readonly packing?: Packing;
}

/** Imports the accesses of a program while it runs. */
export interface Packing {
  /** Begins to import a file whose parts come later. Settles with the import. */
  readonly begin: (file: MessagePort) => Promise<unknown>;
  /** Called when the program has ended, and all parts are on their way. */
  readonly onEnd: () => void;
}

export interface ProgramService {
  /** Tells whether the compiler is in this browser already. */
  compiler(): Promise<CompilerState>;
  /** Loads the compiler and keeps it; `undefined` if that went well, or was aborted. */
  load(hooks: ProgramHooks): Promise<ProgramProblem | undefined>;
  /** Loads the compiler if needed, compiles, and runs untrusted code; `undefined` if it was aborted. */
  run(
    code: ProgramCode,
    /** The program's arguments, without its name. */
    args: readonly string[],
    hooks: ProgramHooks,
  ): Promise<ProgramFile | ProgramProblem | undefined>;
}

/** The messages between the page and the worker that compiles. */
import type { ProgramAbout } from "../../model/code/about";
import type {
  Diagnostic,
  ProgramCode,
  ProgramProblem,
  ProgramStep,
} from "../../model/code/program";

/** What is to be done: load the compiler, make a program of a code, or find the place of a trap in one. */
export type Task =
  | "load"
  | ProgramCode
  | { readonly trapped: Uint8Array<ArrayBuffer>; readonly at: Uint32Array };

export interface Job {
  readonly id: number;
  readonly base: string;
  readonly task: Task;
}

export interface Made {
  /** The original module. */
  readonly wasm: Uint8Array<ArrayBuffer>;
  /** The instrumented module. */
  readonly module: Uint8Array<ArrayBuffer>;
  readonly about: ProgramAbout;
  readonly diagnostics: readonly Diagnostic[];
}

/** Where a program stopped; nothing is there of what its debug information does not say. */
export interface TrapPlace {
  readonly line?: number;
  readonly function?: string;
  /** The instruction, counted from the start of the code section. */
  readonly at?: number;
}

export type Answer = { readonly id: number } & (
  | { readonly step: ProgramStep }
  | { readonly made: Made | undefined }
  | { readonly place: TrapPlace }
  | { readonly problem: ProgramProblem }
);

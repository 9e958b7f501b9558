/** Programs in C, C++ or WebAssembly: what is asked, and what came of it. */
import { PROGRAM_BYTES } from "../../engine/generated/programRules";
import type { ProgramAbout } from "./about";

export type Language = "c" | "c++";

/** The optimisation levels of the compiler: `-O0` to `-O3`. */
export const LEVELS = ["0", "1", "2", "3"] as const;
export type Level = (typeof LEVELS)[number];

/** What the compiler gets. */
export interface Source {
  readonly text: string;
  readonly language: Language;
  readonly level: Level;
  /** More options for the compiler, for example `-DN=512`. */
  readonly options?: readonly string[];
}

/** A program to run: text that is compiled before, or a module for WASI preview 1. */
export type ProgramCode =
  | {
      readonly source: Source;
      /** Whether the trace gets estimated fetches. */
      readonly fetches?: boolean;
    }
  | { readonly wasm: Uint8Array<ArrayBuffer>; readonly name: string };

/** What the compiler, the linker or the run says about a place. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
  /** Missing if it has no place, or none in the user's text. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
  /** The lines with the code and its carets, as the compiler writes them; empty if there are none. */
  readonly caret: string;
}

/** Which step has failed. */
export type Stage = "load" | "compile" | "link" | "instrument" | "run";

/** Why there is no trace. */
export interface ProgramProblem {
  readonly stage: Stage;
  /** One sentence: what happened, and what to do. */
  readonly message: string;
  /** The line of the user's text. */
  readonly line?: number;
  readonly diagnostics: readonly Diagnostic[];
  /** What the program has printed. */
  readonly output: string;
  /** Whether the program ran, but left no accesses to show. */
  readonly hasRun?: boolean;
}

export interface ProgramResult {
  readonly accesses: number;
  /** What it printed to the standard output and error; at most 64 KiB. */
  readonly output: string;
  readonly status: number;
  /** Why the program ended early. Its accesses until then are in the trace. */
  readonly trap?: { readonly message: string; readonly line?: number };
  /** Sentences about what went wrong without a trap. */
  readonly notes?: readonly string[];
  /** Warnings of the compiler. */
  readonly diagnostics: readonly Diagnostic[];
  readonly about: ProgramAbout;
}

export interface ProgramFile {
  /** The accesses in the format of the core's importer `code`. */
  readonly file: () => Blob;
  readonly result: ProgramResult;
}

/** What is being done. Bytes are those of the download. */
export type ProgramStep =
  | { readonly what: "loading"; readonly done: number; readonly total: number }
  | { readonly what: "compiling" }
  | { readonly what: "instrumenting" }
  | { readonly what: "running"; readonly accesses: number };

/** The compiler is loaded once, and kept in the browser. `bytes` are those of the download. */
export interface CompilerState {
  readonly isKept: boolean;
  readonly bytes: number;
}

export const PROGRAM_LIMITS = {
  accesses: 50_000_000,
  seconds: 20,
  /** For the compiler alone. */
  compileSeconds: 120,
  /** The largest memory of a program in bytes. */
  memory: PROGRAM_BYTES,
  /** The largest length of a text in characters. */
  code: 100_000,
} as const;

export const NOT_LOADED =
  "The part that runs programs could not be loaded: reload the page and run it again.";

export function problem(stage: Stage, message: string): ProgramProblem {
  return { stage, message, diagnostics: [], output: "" };
}

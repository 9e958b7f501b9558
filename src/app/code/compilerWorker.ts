/** Compiles and instruments programs beside the page. It answers one message after the other. */
import type { ProgramAbout } from "../../model/code/about";
import { problem } from "../../model/code/program";
import type {
  Diagnostic,
  ProgramCode,
  ProgramProblem,
  ProgramStep,
} from "../../model/code/program";
import { codeStart } from "../../model/code/trap";
import init, { Program } from "../../engine/pkg/instrument/pagewalk";
import { startClang } from "./clang";
import { compile } from "./compile";
import type { Clang } from "./compile";
import { compilerFiles, dropCompiler } from "./compilerFiles";

/** Without a program, the compiler is loaded, and nothing more. */
export interface Job {
  readonly id: number;
  readonly base: string;
  readonly code: ProgramCode | undefined;
}

export interface Made {
  /** The instrumented module. */
  readonly module: Uint8Array<ArrayBuffer>;
  readonly about: ProgramAbout;
  /** Where the code of the original module begins. */
  readonly code: number;
  readonly diagnostics: readonly Diagnostic[];
}

export type Answer = { readonly id: number } & (
  | { readonly step: ProgramStep }
  | { readonly made: Made | undefined }
  | { readonly problem: ProgramProblem }
);

let clang: Promise<Clang> | undefined;
let queue = Promise.resolve();

globalThis.onmessage = ({ data }: MessageEvent<Job>) => {
  queue = queue.then(() => answer(data));
};

async function answer({ id, base, code }: Job): Promise<void> {
  const step = (step: ProgramStep) => post({ id, step });
  try {
    const made = await make(base, code, step);
    post(made && "stage" in made ? { id, problem: made } : { id, made });
  } catch (error) {
    post({
      id,
      problem: problem("compile", `The compiler failed: ${String(error)}`),
    });
  }
}

function post(answer: Answer): void {
  globalThis.postMessage(answer);
}

async function make(
  base: string,
  code: ProgramCode | undefined,
  step: (step: ProgramStep) => void,
): Promise<Made | ProgramProblem | undefined> {
  if (code && "wasm" in code) return instrumented(code.wasm, [], step);
  let commands;
  try {
    commands = await (clang ??= load(base, step));
  } catch (error) {
    clang = undefined;
    return problem(
      "load",
      `The compiler could not be loaded: ${String(error)}. Try it again with a network.`,
    );
  }
  if (!code) return undefined;
  step({ what: "compiling" });
  const compiled = await compile(commands, code.source);
  if ("stage" in compiled) return compiled;
  return instrumented(compiled.wasm, compiled.diagnostics, step);
}

async function load(
  base: string,
  step: (step: ProgramStep) => void,
): Promise<Clang> {
  const files = await compilerFiles(base, (done, total) =>
    step({ what: "loading", done, total }),
  );
  step({ what: "compiling" });
  try {
    return await startClang(files);
  } catch (error) {
    await dropCompiler();
    throw error;
  }
}

async function instrumented(
  wasm: Uint8Array<ArrayBuffer>,
  diagnostics: readonly Diagnostic[],
  step: (step: ProgramStep) => void,
): Promise<Made | ProgramProblem> {
  step({ what: "instrumenting" });
  if (!WebAssembly.validate(wasm))
    return problem(
      "instrument",
      "This is not a WebAssembly module that this browser can run.",
    );
  await init();
  try {
    const program = new Program(wasm);
    const { module } = program;
    const about = JSON.parse(program.about) as ProgramAbout;
    program.free();
    return {
      module: module as Uint8Array<ArrayBuffer>,
      about,
      code: codeStart(wasm),
      diagnostics,
    };
  } catch (error) {
    return problem("instrument", reason(error));
  }
}

/** Errors of the module are JSON: see `CoreError`. */
function reason(error: unknown): string {
  if (typeof error !== "string") return String(error);
  const { message } = JSON.parse(error) as { readonly message: string };
  return message;
}

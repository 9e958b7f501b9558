/** Compiles and instruments programs beside the page. It answers one message after the other. */
import type { ProgramAbout } from "../../model/code/about";
import { problem } from "../../model/code/program";
import type {
  Diagnostic,
  ProgramCode,
  ProgramProblem,
  ProgramStep,
} from "../../model/code/program";
import init, { Program } from "../../engine/pkg/instrument/pagewalk";
import { startClang } from "./clang";
import { compile } from "./compile";
import type { Clang } from "./compile";
import { compilerFiles, dropCompiler } from "./compilerFiles";
import type { Answer, Job, Made, TrapPlace } from "./compilerMessages";

let clang: Promise<Clang> | undefined;
let queue = Promise.resolve();

globalThis.onmessage = ({ data }: MessageEvent<Job>) => {
  queue = queue.then(() => answer(data));
};

async function answer({ id, base, task }: Job): Promise<void> {
  const step = (step: ProgramStep) => post({ id, step });
  try {
    if (typeof task === "object" && "trapped" in task) {
      post({ id, place: await placeOf(task.trapped, task.at) });
      return;
    }
    const made = await make(base, task, step);
    post(made && "stage" in made ? { id, problem: made } : { id, made });
  } catch (error) {
    post({
      id,
      problem: problem(
        "compile",
        `The compiler failed (${String(error)}). It may need too much memory: make global arrays smaller.`,
      ),
    });
  }
}

function post(answer: Answer): void {
  globalThis.postMessage(answer);
}

async function make(
  base: string,
  task: "load" | ProgramCode,
  step: (step: ProgramStep) => void,
): Promise<Made | ProgramProblem | undefined> {
  if (task !== "load" && "wasm" in task)
    return instrumented(task.wasm, [], step);
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
  if (task === "load") return undefined;
  step({ what: "compiling" });
  const compiled = await compile(commands, task.source);
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
      wasm,
      module: module as Uint8Array<ArrayBuffer>,
      about,
      diagnostics,
    };
  } catch (error) {
    return problem("instrument", reason(error));
  }
}

async function placeOf(wasm: Uint8Array, at: Uint32Array): Promise<TrapPlace> {
  await init();
  const program = new Program(wasm);
  const place = JSON.parse(program.place(at)) as TrapPlace;
  program.free();
  return place;
}

/** Errors of the module are JSON: see `CoreError`. */
function reason(error: unknown): string {
  if (typeof error !== "string") return String(error);
  const { message } = JSON.parse(error) as { readonly message: string };
  return message;
}

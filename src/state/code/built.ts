/** Programs in C and C++: the compiler, and their runs. */
import { splitArgs } from "../../model/code/build";
import type { Build } from "../../model/code/build";
import { NOT_LOADED } from "../../model/code/code";
import type { CodeProblem, CompilerPhase } from "../../model/code/code";
import type { ProgramStep } from "../../model/code/program";
import type { Context } from "../context";
import { set } from "../context";
import type { ProgramHooks } from "./programService";
import type { CodeFile } from "./service";

function setCompiler(context: Context, compiler: CompilerPhase): void {
  const { codeScreen } = context.store.getState();
  if (codeScreen) set(context, { codeScreen: { ...codeScreen, compiler } });
}

function compilerOf({ store }: Context): CompilerPhase | undefined {
  return store.getState().codeScreen?.compiler;
}

/** Finds out whether the compiler is kept, unless that is known. */
export async function lookForCompiler(context: Context): Promise<void> {
  if (compilerOf(context)) return;
  try {
    const service = await context.codeService.programs();
    const { isKept, bytes } = await service.compiler();
    if (compilerOf(context)) return;
    setCompiler(
      context,
      isKept ? { status: "kept" } : { status: "missing", bytes },
    );
  } catch {
    setCompiler(context, {
      status: "missing",
      bytes: 0,
      problem: NOT_LOADED,
    });
  }
}

/** Loads the compiler, unless it is kept or being loaded. */
export async function loadCompiler(context: Context): Promise<void> {
  await lookForCompiler(context);
  const before = compilerOf(context);
  if (before?.status !== "missing") return;
  const { bytes } = before;
  const abort = new AbortController();
  context.compilerLoad = abort;
  setCompiler(context, { status: "loading", done: 0, bytes });
  try {
    const service = await context.codeService.programs();
    const problem = await service.load({
      signal: abort.signal,
      onStep: (step) => follow(context, step),
    });
    if (problem)
      setCompiler(context, {
        status: "missing",
        bytes,
        problem: problem.message,
      });
    else if (!abort.signal.aborted) setCompiler(context, { status: "kept" });
  } catch {
    setCompiler(context, { status: "missing", bytes, problem: NOT_LOADED });
  }
}

export function cancelCompiler(context: Context): void {
  context.compilerLoad?.abort();
  const compiler = compilerOf(context);
  if (compiler?.status === "loading")
    setCompiler(context, { status: "missing", bytes: compiler.bytes });
}

/** Shows the progress of a download, also of one that a run has started. */
function follow(context: Context, step: ProgramStep): void {
  if (step.what === "loading")
    setCompiler(context, {
      status: "loading",
      done: step.done,
      bytes: step.total,
    });
  else if (compilerOf(context)?.status !== "kept")
    setCompiler(context, { status: "kept" });
}

/** Compiles and runs a program; `undefined` if it was aborted. */
export async function runBuilt(
  context: Context,
  { text, build }: { readonly text: string; readonly build: Build },
  { signal, onStep, packing }: ProgramHooks,
): Promise<CodeFile | CodeProblem | undefined> {
  const { language, level, args, fetches = false } = build;
  const service = await context.codeService.programs();
  // A run that needs the compiler waits for its download, and shows it.
  const source = { text, language, level };
  const made = await service.run({ source, fetches }, splitArgs(args), {
    signal,
    onStep: (step) => {
      if (signal.aborted) return;
      follow(context, step);
      onStep(step);
    },
    ...(packing && { packing }),
  });
  if (made === undefined || signal.aborted) {
    cancelCompiler(context);
    return undefined;
  }
  if ("message" in made) {
    if (made.stage === "load") {
      const before = compilerOf(context);
      const bytes = before && "bytes" in before ? before.bytes : 0;
      setCompiler(context, {
        status: "missing",
        bytes,
        problem: made.message,
      });
    }
    return made;
  }
  const { file, result } = made;
  const { accesses, output } = result;
  const log = output === "" ? [] : output.replace(/\n$/, "").split("\n");
  return { file, result: { accesses, arrays: [], log, compiled: result } };
}

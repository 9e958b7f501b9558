/** Runs the user's programs and simulates their accesses, besides the replay. */
import { isFatal } from "../../engine/errors";
import { NOT_LOADED, programName, sameSetup } from "../../model/code/code";
import type {
  CodeProblem,
  CodeResult,
  ProgramRun,
  ProgramShown,
  ProgramSlot,
} from "../../model/code/code";
import type { ProgramStep } from "../../model/code/program";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { set } from "../context";
import { engineError } from "../notices";
import type { CodeFile } from "./service";
import { goToLine, hotLine } from "./lines";
import { begin, letGo, occupy, simulateOn } from "./engines";
import type { Packed } from "./engines";
import { packingOf } from "./packing";
import { runBuilt } from "./built";
import { patchProgram, programOf, SLOTS, WHOLE } from "./programs";
import { countLines, countShown } from "./shown";
import { loadStep, refreshTimeline, requestTimeline } from "./timeline";

type Made = CodeFile &
  Pick<ProgramShown, "name" | "code" | "build"> & { readonly packed?: Packed };

/** Runs the code and simulates its accesses. The previous pictures stay until the new ones are complete. */
export async function runProgram(
  context: Context,
  slot: ProgramSlot,
): Promise<void> {
  const program = programOf(context, slot);
  if (!program) return;
  const { code, build } = program;
  const name = programName(program.name);
  const { signal, isCurrent } = begin(context, slot);
  const show = (run: ProgramRun | undefined) => {
    if (isCurrent()) patchProgram(context, slot, { run });
  };
  patchProgram(context, slot, { waits: undefined });
  show(build ? { status: "running", accesses: 0 } : script(0));
  const packing = packingOf(context, slot, { name, build }, signal);
  const onStep = (step: ProgramStep) =>
    show({
      status: "running",
      accesses: step.what === "running" ? step.accesses : 0,
      step,
    });
  const making = build
    ? runBuilt(context, { text: code, build }, { signal, onStep, packing })
    : context.codeService.run(code, {
        signal,
        packing,
        onProgress: (accesses) => show(script(accesses)),
      });
  const made = await making.catch((): CodeProblem => ({ message: NOT_LOADED }));
  if (made && !("message" in made)) {
    const { accesses } = made.result;
    show({ status: "running", accesses });
    const packed = packing.packed();
    const all = { ...made, name, code, build, ...(packed && { packed }) };
    await simulate(context, slot, all, signal);
    return;
  }
  show(made && { status: "failed", problem: made });
  if (isCurrent()) await countShown(context, slot);
}

/** A script runs from its first moment; a program in C is compiled first. */
function script(accesses: number): ProgramRun {
  const step = { what: "running", accesses } as const;
  return { status: "running", accesses, step };
}

/** Simulates the last accesses again if the machine has changed. */
export async function followMachine(
  context: Context,
  slot: ProgramSlot,
): Promise<void> {
  const { configuration } = context.store.getState();
  const program = programOf(context, slot);
  if (!program?.shown || !configuration) return;
  if (program.run?.status === "running") return;
  if (sameSetup(program.tried, configuration.setup)) return;
  const { shown } = program;
  const { signal } = begin(context, slot);
  const { accesses } = shown.result;
  patchProgram(context, slot, { run: { status: "running", accesses } });
  await simulate(context, slot, shown, signal);
}

async function simulate(
  context: Context,
  slot: ProgramSlot,
  { name, code, build, file, result, packed }: Made,
  signal: AbortSignal,
): Promise<void> {
  try {
    const setup = context.store.getState().configuration?.setup;
    if (!setup) return;
    const { machine: config, os } = setup;
    const tried = { machine: config, os };
    patchProgram(context, slot, { tried });
    const before = programOf(context, slot)?.shown;
    const isAgain = before?.file === file;
    occupy(context, slot);
    const { trace, machine, report } = await simulateOn(context, slot, {
      accesses: { file, name, build },
      setup: tried,
      known: isAgain ? before.trace : undefined,
      packed,
      signal,
    });
    const only = isAgain ? before.only : undefined;
    const isNew =
      !isAgain && context.store.getState().codeScreen?.programs.length === 1;
    if (isNew) lookAtWhole(context, result);
    const n = trace.n_accesses;
    let asked = viewOf(context, slot);
    let timeline;
    // Another request on this engine replaces this one.
    do {
      asked = viewOf(context, slot);
      timeline = await requestTimeline(context, slot, {
        n,
        span: asked.span,
        only,
      });
      if (signal.aborted) return;
    } while (!timeline);
    const shown: ProgramShown = {
      name,
      code,
      build,
      result,
      file,
      setup: tried,
      trace,
      machine,
      report,
      timeline,
      only,
    };
    patchProgram(context, slot, { run: undefined, shown });
    const now = viewOf(context, slot);
    if (now.span !== asked.span || now.grid !== asked.grid)
      await refreshTimeline(context, slot);
    await loadStep(context, slot);
    await countLines(context, slot, shown);
    if (!isAgain) await goToHotLine(context, slot);
  } catch (thrown) {
    fail(context, slot, signal, thrown);
    if (!signal.aborted) await countShown(context, slot);
  }
}

/** The cursor begins at a walk of the line that has most of them, unless it was moved. */
async function goToHotLine(context: Context, slot: ProgramSlot): Promise<void> {
  const { codeScreen } = context.store.getState();
  const line = hotLine(programOf(context, slot)?.shown);
  if (codeScreen?.at === WHOLE.at && line !== undefined)
    await goToLine(context, slot, line, 1);
}

/** The cursor and the window of a program alone start again with each run. A trap is after the last access. */
function lookAtWhole(context: Context, { compiled }: CodeResult): void {
  const { codeScreen } = context.store.getState();
  const whole = compiled?.trap ? { ...WHOLE, at: 1 } : WHOLE;
  if (codeScreen) set(context, { codeScreen: { ...codeScreen, ...whole } });
}

/** The window and the resolution of a program's timeline, which may change while it runs. */
function viewOf(context: Context, slot: ProgramSlot) {
  const { codeScreen } = context.store.getState();
  return {
    span: codeScreen?.span ?? WHOLE.span,
    grid: context.programGrids.get(slot),
  };
}

function fail(
  context: Context,
  slot: ProgramSlot,
  signal: AbortSignal,
  thrown: unknown,
): void {
  const error = engineError(thrown);
  // The next run starts with another instance.
  if (isFatal(error)) letGo(context, slot);
  if (signal.aborted) return;
  // The engine was lost for another reason.
  const isEnded = error.code === "cancelled";
  const problem = { message: placed(error.message, error.at) };
  patchProgram(context, slot, {
    run: isEnded ? undefined : { status: "failed", problem },
  });
}

/** Ends the run of a program. Its previous pictures stay. */
export function endRun(context: Context, slot: ProgramSlot): void {
  context.programRuns.get(slot)?.abort();
  context.programRuns.delete(slot);
  if (programOf(context, slot)?.run?.status === "running")
    patchProgram(context, slot, { run: undefined });
}

/** Ends the run of a program at its user's wish. */
export async function cancelRun(
  context: Context,
  slot: ProgramSlot,
): Promise<void> {
  endRun(context, slot);
  await countShown(context, slot);
}

/** Ends what runs when the screen is left; it runs again when the screen is back. */
export function leaveCode(context: Context): void {
  for (const slot of SLOTS)
    if (programOf(context, slot)?.run?.status === "running") {
      endRun(context, slot);
      patchProgram(context, slot, { waits: "screen" });
    }
}

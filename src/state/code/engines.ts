/** Each program has an engine of its own, so that the trace in the replay stays as it is. */
import type { Engine } from "../../engine/calls";
import type { MachineView } from "../../engine/generated/MachineView";
import type { RunReport } from "../../engine/generated/RunReport";
import type { TraceView } from "../../engine/generated/TraceView";
import type { Build } from "../../model/code/build";
import { SCRIPT_LIMITS, sameSetup } from "../../model/code/code";
import type {
  ProgramSetup,
  ProgramShown,
  ProgramSlot,
} from "../../model/code/code";
import { PROGRAM_LIMITS } from "../../model/code/program";
import type { Context } from "../context";

/** The accesses of a program. */
export type Accesses = Pick<ProgramShown, "file" | "name" | "build">;

/** The engine of a program, with its last trace. */
export function engineOf(context: Context, slot: ProgramSlot): Engine {
  const engine = context.programEngines.get(slot) ?? context.sideEngine();
  context.programEngines.set(slot, engine);
  return engine;
}

export function letGo(context: Context, slot: ProgramSlot): void {
  context.programEngines.get(slot)?.dispose();
  context.programEngines.delete(slot);
  context.programHeld.delete(slot);
}

/** Ends the work of a program's engine, and begins another. */
export function begin(context: Context, slot: ProgramSlot) {
  context.programRuns.get(slot)?.abort();
  const abort = new AbortController();
  context.programRuns.set(slot, abort);
  const isCurrent = () => context.programRuns.get(slot) === abort;
  return { signal: abort.signal, isCurrent };
}

export interface Simulated {
  readonly trace: TraceView;
  readonly machine: MachineView;
  readonly report: RunReport;
}

/** Simulates accesses. The engine imports them unless it has them, and `known` is what it said about them. */
export async function simulateOn(
  context: Context,
  slot: ProgramSlot,
  { accesses, setup, known, signal }: Simulation,
): Promise<Simulated> {
  const engine = engineOf(context, slot);
  const held = context.programHeld.get(slot);
  context.programHeld.delete(slot);
  const { file, name, build } = accesses;
  const trace =
    known && held?.file === file
      ? known
      : await engine.start(
          "import",
          { file, name, limit: limitOf(build) },
          { signal },
        );
  const machine = await engine.call("configure", setup);
  const report = await engine.start("run", {}, { signal });
  if (!signal.aborted) context.programHeld.set(slot, { file, setup });
  return { trace, machine, report };
}

export interface Simulation {
  readonly accesses: Accesses;
  readonly setup: ProgramSetup;
  readonly known: TraceView | undefined;
  readonly signal: AbortSignal;
}

/** The most accesses of a trace; each access may have a fetch. */
function limitOf(build: Build | undefined): number {
  if (!build) return SCRIPT_LIMITS.accesses;
  return PROGRAM_LIMITS.accesses * (build.fetches ? 2 : 1);
}

/**
 * Makes the engine hold the accesses of the pictures. After a run that was cancelled or has failed, it holds those of
 * that run.
 */
export async function holdShown(
  context: Context,
  slot: ProgramSlot,
  shown: ProgramShown,
): Promise<void> {
  const held = context.programHeld.get(slot);
  if (held?.file === shown.file && sameSetup(held.setup, shown.setup)) return;
  const { signal } = begin(context, slot);
  await simulateOn(context, slot, {
    accesses: shown,
    setup: shown.setup,
    known: shown.trace,
    signal,
  });
}

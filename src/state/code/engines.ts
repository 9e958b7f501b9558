/** Each program has an engine of its own, so that the trace in the replay stays as it is. */
import type { Engine } from "../../engine/calls";
import type { MachineView } from "../../engine/generated/MachineView";
import type { RunReport } from "../../engine/generated/RunReport";
import type { TraceView } from "../../engine/generated/TraceView";
import type { Build } from "../../model/code/build";
import { SCRIPT_LIMITS } from "../../model/code/code";
import type {
  ProgramSetup,
  ProgramShown,
  ProgramSlot,
} from "../../model/code/code";
import { PROGRAM_LIMITS } from "../../model/code/program";
import type { Context } from "../context";
import { patchProgram, programOf } from "./programs";

/** The accesses of a program. */
export type Accesses = Pick<ProgramShown, "file" | "name" | "build">;

/** The engine of a program, with its last trace. */
export function engineOf(context: Context, slot: ProgramSlot): Engine {
  const engine = context.programEngines.get(slot) ?? context.sideEngine();
  context.programEngines.set(slot, engine);
  return engine;
}

export function letGo(context: Context, slot: ProgramSlot): void {
  endWork(context, slot);
  context.programEngines.get(slot)?.dispose();
  context.programEngines.delete(slot);
  context.programHeld.delete(slot);
}

/** Begins a run of a program, which ends the one before. */
export function begin(context: Context, slot: ProgramSlot) {
  context.programRuns.get(slot)?.abort();
  const abort = new AbortController();
  context.programRuns.set(slot, abort);
  const isCurrent = () => context.programRuns.get(slot) === abort;
  return { signal: abort.signal, isCurrent };
}

/** Ends the work on the accesses that an engine holds: a simulation for the pictures, or a count of lines. */
function endWork(context: Context, slot: ProgramSlot): void {
  context.programWork.get(slot)?.abort();
  context.programWork.delete(slot);
  if (programOf(context, slot)?.counting)
    patchProgram(context, slot, { counting: undefined });
}

/** Begins such work, which ends the one before. */
export function occupy(context: Context, slot: ProgramSlot): AbortSignal {
  endWork(context, slot);
  const abort = new AbortController();
  context.programWork.set(slot, abort);
  return abort.signal;
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
  { accesses, setup, known, packed, signal }: Simulation,
): Promise<Simulated> {
  const engine = engineOf(context, slot);
  const held = context.programHeld.get(slot);
  context.programHeld.delete(slot);
  const { file, name, build } = accesses;
  const importIt = () =>
    engine.start(
      "import",
      { file: file(), name, limit: limitOf(build) },
      { signal },
    );
  const trace =
    known && held?.file === file
      ? known
      : packed?.engine === engine
        ? await packed.trace
        : await importIt();
  const machine = await engine.call("configure", setup);
  const report = await engine.start("run", {}, { signal });
  if (!signal.aborted) context.programHeld.set(slot, { file, setup });
  return { trace, machine, report };
}

export interface Simulation {
  readonly accesses: Accesses;
  readonly setup: ProgramSetup;
  readonly known: TraceView | undefined;
  readonly packed?: Packed | undefined;
  readonly signal: AbortSignal;
}

/** A trace that was imported while its program ran, and the engine that has it. */
export interface Packed {
  readonly engine: Engine;
  readonly trace: Promise<TraceView>;
}

/** The most accesses of a trace; each access may have a fetch. */
export function limitOf(build: Build | undefined): number {
  if (!build) return SCRIPT_LIMITS.accesses;
  return PROGRAM_LIMITS.accesses * (build.fetches ? 2 : 1);
}

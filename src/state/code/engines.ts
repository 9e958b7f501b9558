/** Each program has an engine of its own, so that the trace in the replay stays as it is. */
import type { Engine } from "../../engine/calls";
import type { ProgramSlot } from "../../model/code/code";
import type { Context } from "../context";

/** The engine of a program, with its last trace. */
export function engineOf(context: Context, slot: ProgramSlot): Engine {
  const engine = context.programEngines.get(slot) ?? context.sideEngine();
  context.programEngines.set(slot, engine);
  return engine;
}

export function letGo({ programEngines }: Context, slot: ProgramSlot): void {
  programEngines.get(slot)?.dispose();
  programEngines.delete(slot);
}

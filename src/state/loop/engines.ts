/** Each program has an engine of its own, so that the trace in the replay stays as it is. */
import type { Engine } from "../../engine/calls";
import type { LoopSlot } from "../../model/loop/loop";
import type { Context } from "../context";

/** The engine of a program, with its last trace. */
export function engineOf(context: Context, slot: LoopSlot): Engine {
  const engine = context.loopEngines.get(slot) ?? context.sideEngine();
  context.loopEngines.set(slot, engine);
  return engine;
}

export function letGo({ loopEngines }: Context, slot: LoopSlot): void {
  loopEngines.get(slot)?.dispose();
  loopEngines.delete(slot);
}

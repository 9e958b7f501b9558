/** Imports the accesses of a program while it runs. The engine has the trace of the pictures until the program ends. */
import { isFatal } from "../../engine/errors";
import type { ProgramShown, ProgramSlot } from "../../model/code/code";
import type { Context } from "../context";
import { engineError } from "../notices";
import { engineOf, letGo, limitOf } from "./engines";
import type { Packed } from "./engines";
import type { Packing } from "./programService";

export interface ProgramPacking extends Packing {
  /** The trace, if the run has begun. */
  readonly packed: () => Packed | undefined;
}

export function packingOf(
  context: Context,
  slot: ProgramSlot,
  { name, build }: Pick<ProgramShown, "name" | "build">,
  signal: AbortSignal,
): ProgramPacking {
  let packed: Packed | undefined;
  return {
    packed: () => packed,
    begin: (file) => {
      const engine = engineOf(context, slot);
      const trace = engine.start(
        "import",
        { file, name, limit: limitOf(build) },
        { signal },
      );
      packed = { engine, trace };
      trace.catch((thrown: unknown) => {
        const isUsed = context.programEngines.get(slot) === engine;
        if (isUsed && isFatal(engineError(thrown))) letGo(context, slot);
      });
      return trace;
    },
    onEnd: () => {
      if (!signal.aborted) context.programHeld.delete(slot);
    },
  };
}

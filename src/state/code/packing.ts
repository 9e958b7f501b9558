/** Packs the accesses of a program while it runs: on its engine, and on a second one that helps. */
import type { Engine } from "../../engine/calls";
import type { TraceView } from "../../engine/generated/TraceView";
import { importShared } from "../../engine/sharedImport";
import type { SharedImport } from "../../engine/sharedImport";
import type { Build } from "../../model/code/build";
import type { ProgramSlot } from "../../model/code/code";
import type { Context } from "../context";
import { engineOf, letGo, limitOf } from "./engines";

export interface Packing extends Pick<SharedImport, "add" | "drop"> {
  /**
   * Waits until the trace is the engine's. Returns nothing if that failed: then the file is imported as others are, which
   * says what is wrong with it.
   */
  readonly end: () => Promise<TraceView | undefined>;
}

/** Nothing starts before the first bytes. */
export function packingOf(
  context: Context,
  slot: ProgramSlot,
  { name, build }: { readonly name: string; readonly build: Build },
  signal: AbortSignal,
): Packing {
  let work: SharedImport | undefined;
  let isDropped = false;
  const drop = () => {
    isDropped = true;
    work?.drop();
  };
  const start = () => {
    const options = { name, limit: limitOf(build) };
    const main = engineOf(context, slot);
    const started = importShared(
      main,
      helperOf(context, slot),
      options,
      signal,
    );
    started.trace.catch(() => {
      if (!isDropped && !signal.aborted) letGo(context, slot);
    });
    return started;
  };
  return {
    add: (bytes) => (work ??= start()).add(bytes),
    end: () => work?.end().catch(() => undefined) ?? Promise.resolve(undefined),
    drop,
  };
}

function helperOf(context: Context, slot: ProgramSlot): Engine {
  const helper = context.programHelpers.get(slot) ?? context.sideEngine();
  context.programHelpers.set(slot, helper);
  return helper;
}

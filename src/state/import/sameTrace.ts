import type { TraceView } from "../../engine/generated/TraceView";

/** Returns whether this is the trace on the screen, even if the engine has read it again since. */
export function isSameTrace(
  trace: TraceView,
  shown: TraceView | undefined,
): boolean {
  return trace.name === shown?.name && trace.n_accesses === shown.n_accesses;
}

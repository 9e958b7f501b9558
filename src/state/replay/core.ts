/** Whose core's TLBs and walk caches are looked at, where each thread or processor has its own. */
import type { AppState } from "../store";

/** The core that was chosen, if it is one of this machine and this trace. */
export function coreOf({
  core,
  machine,
  trace,
}: Pick<AppState, "core" | "machine" | "trace">): number | undefined {
  return core && core.machine === machine && core.trace === trace
    ? core.core
    : undefined;
}

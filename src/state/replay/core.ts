/** The core whose TLBs and walk caches are shown, if each thread or processor has its own. */
import type { AppState } from "../store";

/** The chosen core, if it exists on this machine and this trace. */
export function coreOf({
  core,
  machine,
  trace,
}: Pick<AppState, "core" | "machine" | "trace">): number | undefined {
  return core && core.machine === machine && core.trace === trace
    ? core.core
    : undefined;
}

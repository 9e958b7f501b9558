/** The run that would be saved now. */
import type { RunReport } from "../../engine/generated/RunReport";
import { changed, keyOf } from "../../model/whatif/questions";
import { isGated } from "../selectors";
import type { AppState } from "../store";
import type { Configuration } from "../config/configurations";

/** The run on the screen: the replay's, or that of the machine on the what-if screen. */
export function runToSave(
  state: AppState,
): { configuration: Configuration; report: RunReport } | undefined {
  const { configuration, report, stale, trace, screen, whatIf } = state;
  if (!configuration || !trace || isGated(state) || stale) return undefined;
  const { cpu, setup: own } = configuration;
  if (screen === "what-if") {
    const setup = changed(own, cpu, whatIf.view.change);
    const run = whatIf.trace === trace ? whatIf.runs[keyOf(setup)] : undefined;
    if (setup !== own)
      return run?.status === "done"
        ? { configuration: { cpu, setup }, report: run.value }
        : undefined;
  }
  return report && { configuration, report };
}

/** Which screen is shown. */
import type { TraceView } from "../engine/generated/TraceView";
import type { Permalink, Screen } from "../model/permalink";
import type { ComparePart } from "./compareState";
import type { Context } from "./context";
import { set } from "./context";
import { loadExperiments } from "./experimentActions";
import { showLoop } from "./loopDraft";
import { showMeasured } from "./measuredActions";
import { showWhatIf } from "./whatIfActions";

/** Shows the screen that a link names; what it says of the replay is not looked at here. */
export function showScreen(
  context: Context,
  link: Pick<
    Permalink,
    "screen" | "experiment" | "whatIf" | "loop" | "code" | "compare" | "right"
  >,
): void {
  const { screen = "replay", experiment, whatIf } = link;
  switch (screen) {
    case "replay":
      set(context, { screen, experiment: undefined });
      break;
    case "what-if":
      showWhatIf(context, whatIf);
      break;
    case "compare": {
      const { compare } = context.store.getState();
      const { right = compare.right } = link;
      const part: ComparePart = link.compare ?? "pair";
      const next = { ...compare, part, right };
      set(context, {
        screen,
        compare: next,
        experiment: undefined,
        playing: false,
      });
      break;
    }
    case "samples":
      set(context, { screen, experiment: undefined, playing: false });
      break;
    case "measured":
      showMeasured(context);
      break;
    case "loop":
      void showLoop(context, link);
      break;
    case "experiments":
      set(context, { screen, experiment, playing: false });
      void loadExperiments(context);
  }
}

/** Where a trace that was just opened is shown: samples are no stream of accesses. */
export function screenOf({ samples }: TraceView): Screen {
  return samples === undefined ? "replay" : "samples";
}

/** What a link cannot bring to others. */
import { sampledTrace } from "../selectors";
import type { AppState } from "../store";

/** What the link of the screen cannot restore, as a sentence; `undefined` if it restores everything. */
export function linkLacks(state: AppState): string | undefined {
  const { screen, codeScreen, measured } = state;
  if (
    screen === "code" &&
    codeScreen?.programs.some(({ isTooLong }) => isTooLong)
  )
    return "The code is too long for a link: save it as a file and send that. The link opens only this screen.";
  if (screen === "measured" && measured?.isTooLong)
    return "The output of perf stat is too long for a link: send its file. The link opens only the run to compare with.";
  if (["code", "learn", "experiments"].includes(screen)) return undefined;
  // The example opens for everyone, on any trace.
  if (screen === "samples" && sampledTrace(state) !== state.trace)
    return undefined;
  return traceLacks(state);
}

function traceLacks(state: AppState): string | undefined {
  const { trace, builtIn, workload, carried } = state;
  const isElsewhere = builtIn !== undefined || workload !== undefined;
  if (!trace || isElsewhere || carried !== undefined) return undefined;
  if (["loop", "code"].includes(trace.import.format))
    return `Others cannot open “${trace.name}”: its program is too long for a link. Send the code as a file, or export the trace.`;
  return `Others cannot open “${trace.name}”: a link carries only a short text file. Send the file with the link, which goes on here when they import it. Example traces and generated ones need no file.`;
}

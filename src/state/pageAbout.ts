/** What the numbers of a page are about, for the files that it saves. */
import { VERSION } from "../model/shared/version";
import type { AppState } from "./store";

type Shown = Pick<AppState, "screen" | "trace" | "hash" | "configuration">;

/** Returns facts by the names of the columns of `pagewalk`. A screen names only what it shows. */
export function pageAbout(state: Shown): Readonly<Record<string, string>> {
  const { screen, trace, hash, configuration } = state;
  const hasMachine =
    screen === "replay" || screen === "what-if" || screen === "loop";
  const hasTrace =
    screen === "replay" ||
    screen === "what-if" ||
    screen === "compare" ||
    screen === "samples";
  return {
    "about.version": VERSION,
    ...(hasMachine &&
      configuration && {
        "about.machine.id": configuration.cpu,
        "about.machine.name": configuration.setup.machine.name,
        "about.mapping": JSON.stringify(configuration.setup.os),
      }),
    ...(hasTrace &&
      trace && {
        "about.trace.name": trace.name,
        ...(hash !== undefined && { "about.trace.digest": hash }),
      }),
  };
}

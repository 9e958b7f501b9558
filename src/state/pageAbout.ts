/** What the numbers of a page are about, for the files that it saves. */
import { COMMIT, VERSION } from "../model/shared/version";
import { rightOf } from "./compare/right";
import type { Configuration } from "./config/configurations";
import type { AppState } from "./store";

type Shown = Pick<
  AppState,
  "screen" | "trace" | "hash" | "configuration" | "cpus" | "compare"
>;

/** Returns facts by the names of the columns of `pagewalk`. A screen names only what it shows. */
export function pageAbout(state: Shown): Readonly<Record<string, string>> {
  const { screen, trace, hash, configuration, compare } = state;
  const isPair = screen === "compare" && compare.part === "pair";
  const hasMachine =
    screen === "replay" || screen === "what-if" || screen === "code" || isPair;
  const hasTrace =
    screen === "replay" ||
    screen === "what-if" ||
    screen === "compare" ||
    screen === "samples";
  return {
    "about.version": VERSION,
    ...(COMMIT !== "" && { "about.commit": COMMIT }),
    ...(hasMachine && machineFacts("about", configuration)),
    ...(isPair && machineFacts("about.right", rightOf(state))),
    ...(hasTrace &&
      trace && {
        "about.trace.name": trace.name,
        ...(hash !== undefined && { "about.trace.digest": hash }),
      }),
  };
}

function machineFacts(
  prefix: "about" | "about.right",
  configuration: Configuration | undefined,
): Readonly<Record<string, string>> {
  if (!configuration) return {};
  const { cpu, setup } = configuration;
  return {
    [`${prefix}.machine.id`]: cpu,
    [`${prefix}.machine.name`]: setup.machine.name,
    [`${prefix}.mapping`]: JSON.stringify(setup.os),
  };
}

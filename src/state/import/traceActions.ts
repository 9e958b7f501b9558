/** Opens examples by their id, and answers what an open trace or an import offers. */
import type { Context } from "../context";
import { set } from "../context";
import { screenForLater, showScreen } from "../screens";
import { reportErrors } from "../reportErrors";
import { clear } from "../notices";
import {
  configurationOf,
  defaultConfiguration,
  modelOf,
  withCores,
} from "../config/configurations";
import type { Configuration } from "../config/configurations";
import { isSmallMachine, mappingOf } from "../../model/config/cpus";
import { withWindow } from "../replay/runWindow";
import { openScene } from "../replay/scene";
import type { Screen } from "../../model/permalink/permalink";
import { withGivenOf } from "./traces";
import type { BuiltInTrace } from "./traces";

export function openBuiltIn(
  context: Context,
  trace: BuiltInTrace,
  screen?: Screen,
): Promise<void> {
  clear(context, "find");
  clear(context, "import");
  const showLater = screenForLater(context);
  return reportErrors(context, async () => {
    const configuration = configurationFor(context, trace);
    if (!configuration) return;
    const given = withGivenOf(configuration, trace);
    const whole = withWindow(given, undefined);
    await openScene(context, {
      source: { shipped: trace },
      configuration: withCores(whole, trace.cores),
      openAt: trace.at ?? "opening",
      isUndoable: true,
    });
    showLater(screen ? { screen } : stayOrReplay(context));
  });
}

/** The screens about any trace keep their place; others give way to the replay. */
function stayOrReplay(context: Context): Parameters<typeof showScreen>[1] {
  const { screen, compare } = context.store.getState();
  if (screen !== "what-if" && screen !== "compare") return {};
  const { part } = compare;
  return { screen, ...(part !== "pair" && { compare: part }) };
}

/** An example of a small machine opens on it; another example does not stay on a small machine. */
function configurationFor(
  context: Context,
  { cpu }: BuiltInTrace,
): Configuration | undefined {
  const state = context.store.getState();
  const { configuration } = state;
  if (!configuration || configuration.cpu === cpu) return configuration;
  const model = cpu === undefined ? undefined : modelOf(state, cpu);
  if (model) return configurationOf(model, mappingOf(model, model.machine));
  const shown = modelOf(state, configuration.cpu);
  return shown && isSmallMachine(shown)
    ? defaultConfiguration(state)
    : configuration;
}

/** Replays the samples as if they were consecutive accesses; a comparison stays open. */
export function replayAsConsecutive(context: Context): void {
  const { trace, screen } = context.store.getState();
  set(context, { asConsecutive: trace });
  if (screen !== "compare") showScreen(context, {});
}

export function cancelImport(context: Context): void {
  context.import?.abort();
}

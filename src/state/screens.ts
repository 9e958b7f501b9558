/** Chooses the screen that is shown. */
import { HOW_WE_KNOW } from "../model/experiments/howWeKnow";
import type { TraceView } from "../engine/generated/TraceView";
import type { Permalink, Screen } from "../model/permalink/permalink";
import type { ComparePart } from "./compare/state";
import type { Context } from "./context";
import { set } from "./context";
import { leaveWelcome } from "./start/welcome";
import { NO_WHAT_IF } from "../model/whatif/questions";

/** Shows the screen that a link names; the link's replay is handled elsewhere. */
export function showScreen(
  context: Context,
  link: Pick<
    Permalink,
    | "screen"
    | "experiment"
    | "term"
    | "lesson"
    | "step"
    | "exercise"
    | "grade"
    | "whatIf"
    | "program"
    | "code"
    | "build"
    | "program2"
    | "code2"
    | "build2"
    | "compare"
    | "right"
    | "view"
    | "samples"
    | "stat"
    | "statName"
    | "family"
  >,
): void {
  const { screen = "replay", experiment, whatIf, view, lesson, step } = link;
  leaveWelcome(context);
  if (view)
    set(context, {
      choices: { ...context.store.getState().choices, [screen]: view },
    });
  switch (screen) {
    case "learn":
      set(context, { screen, back: undefined, playing: false });
      void import("./learn/actions").then(({ showLearn }) =>
        showLearn(context, link),
      );
      break;
    case "replay":
      set(context, {
        screen,
        experiment: undefined,
        back: lesson === undefined ? undefined : { lesson, step: step ?? 1 },
      });
      break;
    case "what-if":
      set(context, {
        screen,
        experiment: undefined,
        playing: false,
        whatIf: {
          ...context.store.getState().whatIf,
          ...(whatIf && {
            view: whatIf,
            past: NO_WHAT_IF.past,
            future: NO_WHAT_IF.future,
          }),
        },
      });
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
      set(context, {
        screen,
        experiment: undefined,
        playing: false,
        ...(link.samples && { surveyChoice: link.samples }),
      });
      break;
    case "measure":
    case "measured":
      set(context, { screen, experiment: undefined, playing: false });
      if (screen === "measured")
        void import("./measured/actions").then(({ showMeasured }) =>
          showMeasured(context, link),
        );
      break;
    case "glossary":
      set(context, { screen, term: link.term, playing: false });
      break;
    case "code":
      set(context, { screen, experiment: undefined, playing: false });
      void import("./code/draft").then(({ showCode }) =>
        showCode(context, link),
      );
      break;
    case "experiments":
      set(context, { screen, experiment, playing: false });
      void (experiment === HOW_WE_KNOW
        ? import("./experiments/oracles").then(({ verifyOracles }) =>
            verifyOracles(context),
          )
        : import("./experiments/actions").then(({ loadExperiments }) =>
            loadExperiments(context),
          ));
  }
}

/**
 * Returns a function that shows a screen, unless the user has gone to another one since. Opening a trace
 * takes time, and a user who leaves meanwhile stays where they went.
 */
export function screenForLater(
  context: Context,
): (link: Parameters<typeof showScreen>[1]) => void {
  const { screen } = context.store.getState();
  return (link) => {
    if (context.store.getState().screen === screen) showScreen(context, link);
  };
}

/** Chooses the part of Compare at once, even if its data must still load. */
export function showComparePart(context: Context, part: ComparePart): void {
  const { compare } = context.store.getState();
  set(context, { compare: { ...compare, part } });
}

/** Sets what a view of the screen shows; `undefined` = its default. */
export function chooseView(
  context: Context,
  key: string,
  value: string | undefined,
): void {
  const { screen, choices } = context.store.getState();
  const next: Record<string, string> = { ...choices[screen] };
  if (value === undefined) Reflect.deleteProperty(next, key);
  else next[key] = value;
  set(context, { choices: { ...choices, [screen]: next } });
}

/** The screen for a trace that was just opened: samples are no stream of accesses. */
export function screenOf({ samples }: TraceView): Screen {
  return samples === undefined ? "replay" : "samples";
}

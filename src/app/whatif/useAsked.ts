/**
 * Answers to questions about the open trace: asked when they are first needed, and again for another trace.
 */
import { useEffect } from "react";
import { useShallow } from "zustand/react/shallow";
import type { AnswerTo } from "../../engine/calls";
import type { Setup } from "../../engine/engine";
import type { Question } from "../../engine/generated/Question";
import type { RunReport } from "../../engine/generated/RunReport";
import { keyOf } from "../../model/whatif/questions";
import type { Asked } from "../../model/whatif/questions";
import { useActions, useApp } from "../context";

/** `undefined` asks nothing. */
export function useAnswer<Q extends Question>(
  question: Q | undefined,
): Asked<AnswerTo<Q>> | undefined {
  const { ask } = useActions();
  const trace = useApp((state) => state.trace);
  const key = question && keyOf(question);
  const asked = useApp((state) =>
    key !== undefined && state.whatIf.trace === state.trace
      ? state.whatIf.answers[key]
      : undefined,
  );
  useEffect(() => {
    // The key is the question.
    if (key !== undefined && trace) void ask(JSON.parse(key) as Question);
  }, [ask, key, trace]);
  // The value under the key of a question is its answer.
  return asked as Asked<AnswerTo<Q>> | undefined;
}

/** Returns the run of another machine. If there are several trials, only the newest continues. */
export function useRun(
  setup: Setup | undefined,
  isTrial = false,
): Asked<RunReport> | undefined {
  const { tryRun } = useActions();
  const trace = useApp((state) => state.trace);
  const key = setup && keyOf(setup);
  useEffect(() => {
    if (key !== undefined && trace)
      void tryRun(JSON.parse(key) as Setup, isTrial);
  }, [tryRun, key, trace, isTrial]);
  return useApp((state) =>
    key !== undefined && state.whatIf.trace === state.trace
      ? state.whatIf.runs[key]
      : undefined,
  );
}

/** Runs of several other machines, in order; `undefined` runs nothing. */
export function useRuns(
  setups: readonly (Setup | undefined)[],
): readonly (Asked<RunReport> | undefined)[] {
  const { tryRun } = useActions();
  const trace = useApp((state) => state.trace);
  const keys = setups.map((setup) => setup && keyOf(setup));
  const all = JSON.stringify(keys.filter((key) => key !== undefined));
  useEffect(() => {
    if (!trace) return;
    for (const key of JSON.parse(all) as string[])
      void tryRun(JSON.parse(key) as Setup, false);
  }, [tryRun, all, trace]);
  // Selects only these runs, because trials of other machines change often.
  return useApp(
    useShallow(({ whatIf, trace }) =>
      keys.map((key) =>
        key !== undefined && whatIf.trace === trace
          ? whatIf.runs[key]
          : undefined,
      ),
    ),
  );
}

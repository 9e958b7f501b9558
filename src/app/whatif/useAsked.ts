/** Answers to questions about the open trace: asked when they are first needed, and again of another trace. */
import { useEffect } from "react";
import type { AnswerTo } from "../../engine/answers";
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
  // What stands under the key of a question is its answer.
  return asked as Asked<AnswerTo<Q>> | undefined;
}

/** A run of another machine. Of trials only the newest goes on. */
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

/** Runs of several other machines, in their order. */
export function useRuns(
  setups: readonly Setup[],
): readonly (Asked<RunReport> | undefined)[] {
  const { tryRun } = useActions();
  const trace = useApp((state) => state.trace);
  const runs = useApp(({ whatIf, trace }) =>
    whatIf.trace === trace ? whatIf.runs : undefined,
  );
  const keys = setups.map(keyOf);
  const all = JSON.stringify(keys);
  useEffect(() => {
    if (!trace) return;
    for (const key of JSON.parse(all) as string[])
      void tryRun(JSON.parse(key) as Setup, false);
  }, [tryRun, all, trace]);
  return keys.map((key) => runs?.[key]);
}

export function valueOf<T>(asked: Asked<T> | undefined): T | undefined {
  return asked?.status === "done" ? asked.value : undefined;
}

/** Statistics of a trace's samples, computed separately from its replay. */
import type { Engine } from "../../engine/calls";
import type { TraceView } from "../../engine/generated/TraceView";
import { isFatal } from "../../engine/errors";
import type { SurveyReport } from "../../engine/generated/SurveyReport";
import { placed } from "../../model/shared/place";
import type { SurveyChoice, SurveyState } from "../../model/samples/state";
import type { Context } from "../context";
import { set } from "../context";
import { sampledTrace } from "../selectors";
import { reportErrors } from "../reportErrors";
import { engineError } from "../notices";
import type { SurveySubject } from "./task";

/** Counts the samples of the trace for the configured machine, unless that is in progress or done. */
export function survey(context: Context): Promise<void> {
  const { configuration, surveyChoice: choice } = state(context);
  const trace = sampledTrace(state(context));
  const engine = engineOf(context, trace);
  if (!trace || !engine) return Promise.resolve();
  const subject = { trace, machine: configuration?.setup.machine, choice };
  const { survey: before } = context;
  if (before && isSame(before.subject, subject) && isGood(context))
    return Promise.resolve();
  before?.abort.abort();
  const abort = new AbortController();
  const task = { subject, abort };
  context.survey = task;
  const last = before?.subject.trace === trace ? lastReport(context) : {};
  const put = (next: SurveyState) => {
    if (context.survey === task) set(context, { survey: next });
  };
  put({ status: "running", ...last });
  return reportErrors(context, async () => {
    try {
      const report = await engine.start("survey", optionsOf(subject), {
        signal: abort.signal,
        onProgress: (progress) => {
          if (!abort.signal.aborted)
            put({ status: "running", progress, ...last });
        },
      });
      put({ status: "done", report });
    } catch (thrown) {
      const error = engineError(thrown);
      put(
        error.code === "cancelled"
          ? { status: "cancelled", ...last }
          : { status: "failed", why: placed(error.message, error.at), ...last },
      );
      // The replay needs its own engine only.
      if (isFatal(error) && engine === context.engine) throw error;
    }
  });
}

/** The open trace has an engine, and so does the example. */
function engineOf(
  context: Context,
  trace: TraceView | undefined,
): Engine | undefined {
  return trace === state(context).trace
    ? context.engine
    : context.samplesEngine;
}

/** Changes the filter of samples. */
export function chooseSamples(
  context: Context,
  surveyChoice: SurveyChoice,
): Promise<void> {
  set(context, { surveyChoice });
  return survey(context);
}

const state = ({ store }: Context) => store.getState();

function isSame(a: SurveySubject, b: SurveySubject): boolean {
  return (
    a.trace === b.trace && a.machine === b.machine && a.choice === b.choice
  );
}

function isGood(context: Context): boolean {
  const status = state(context).survey?.status;
  return status === "running" || status === "done";
}

function lastReport(context: Context): { readonly report?: SurveyReport } {
  const report = state(context).survey?.report;
  return report ? { report } : {};
}

function optionsOf({ machine, choice: { who, event } }: SurveySubject) {
  return {
    who,
    ...(machine && { machine }),
    ...(event !== undefined && { event }),
  };
}

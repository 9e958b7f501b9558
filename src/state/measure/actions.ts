/** Measures this computer, compares it with the models, and simulates it. */
import type { ChaseReport } from "../../engine/generated/ChaseReport";
import { becoming, change } from "../config/changes";
import { modelOf } from "../config/configurations";
import type { Context } from "../context";
import { set, stopIfAborted } from "../context";
import { messageOf } from "../../model/shared/messageOf";
import { notifyError } from "../notices";
import { showScreen } from "../screens";
import type {
  MeasureJob,
  MeasureResult,
  MeasureState,
} from "../../model/measure/state";

/** Begins a measurement. Another one that runs is cancelled. */
export async function measureThis(
  context: Context,
  job: MeasureJob,
): Promise<void> {
  context.measuring?.abort();
  const abort = new AbortController();
  context.measuring = abort;
  const { signal } = abort;
  const kept = context.store.getState().measure;
  const put = (status: MeasureState["status"], result = kept?.result) => {
    if (context.measuring !== abort) return;
    const everyPage = newestOfEveryPage(result, kept?.everyPage);
    set(context, {
      measure: {
        status,
        ...(result && { result }),
        ...(everyPage && { everyPage }),
      },
    });
  };
  put({ is: "measuring" });
  try {
    const service = await context.measure();
    stopIfAborted(signal);
    const samples = await service.measure(job, {
      signal,
      onProgress: (progress) => {
        if (!signal.aborted) put({ is: "measuring", progress });
      },
    });
    put({ is: "comparing" });
    const report = await context.engine.start(
      "compareChase",
      {
        samples,
        ...(job.stride > 1 &&
          kept?.everyPage && { every_page: kept.everyPage.samples }),
      },
      {
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) put({ is: "comparing", progress });
        },
      },
    );
    put({ is: "done" }, { samples, report });
  } catch (thrown) {
    if (signal.aborted) put({ is: "cancelled" });
    else put({ is: "failed", why: messageOf(thrown) });
  }
}

function newestOfEveryPage(
  result: MeasureResult | undefined,
  before: MeasureResult | undefined,
): MeasureResult | undefined {
  return result?.samples.stride === 1 ? result : before;
}

/** Replaces the machine of the replay by the nearest model with measured sizes, and shows the replay. */
export async function simulateMeasured(
  context: Context,
  { fits: [best], machine }: ChaseReport,
): Promise<void> {
  const model = best && modelOf(context.store.getState(), best.cpu);
  if (!model || !machine) return;
  const rejected = await change(context, (state) => {
    const { configuration: before } = state;
    if (!before) return undefined;
    const { setup } = before;
    const virt = best.nested ? ("ept" as const) : ("native" as const);
    return becoming(state, {
      ...before,
      cpu: model.id,
      setup: { ...setup, machine, os: { ...setup.os, virt } },
    });
  });
  if (rejected) notifyError(context, rejected, { kind: "setup" });
  else showScreen(context, { screen: "replay" });
}

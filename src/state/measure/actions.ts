/** Measures this computer, compares it with the models, and simulates it. */
import type { ChaseReport } from "../../engine/generated/ChaseReport";
import { becoming, change } from "../config/changes";
import { modelOf } from "../config/configurations";
import type { Context } from "../context";
import { set } from "../context";
import { engineError, notifyError } from "../notices";
import { showScreen } from "../screens";
import type { MeasureState } from "../../model/measure/state";

/** Begins a measurement. Another one that runs is cancelled. */
export async function measureThis(
  context: Context,
  seconds: number,
): Promise<void> {
  context.measuring?.abort();
  const abort = new AbortController();
  context.measuring = abort;
  const { signal } = abort;
  const { result } = context.store.getState().measure ?? {};
  const put = (status: MeasureState["status"], next = result) => {
    if (context.measuring === abort)
      set(context, { measure: { status, ...(next && { result: next }) } });
  };
  put({ is: "measuring" });
  try {
    const service = await context.measure();
    const samples = await service.measure(seconds, {
      signal,
      onProgress: (progress) => {
        if (!signal.aborted) put({ is: "measuring", progress });
      },
    });
    put({ is: "comparing" });
    const report = await context.engine.start(
      "compareChase",
      { samples },
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
    else put({ is: "failed", why: whyNot(thrown) });
  }
}

function whyNot(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : engineError(thrown).message;
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

/** Every CPU model on the open trace, with the replay's memory. */
import { DEFAULT_OS } from "../../engine/generated/defaults";
import type { Outcome } from "../../engine/calls";
import type { EngineError } from "../../engine/engine";
import type { CpuModel } from "../../engine/generated/CpuModel";
import { processors } from "../../model/config/cpus";
import { smallestPage } from "../../model/config/defaults";
import { placed } from "../../model/shared/place";
import { patch } from "./actions";
import type { ModelRun, ModelsState } from "./state";
import type { Context } from "../context";
import { engineError } from "../notices";
import { isAboutMapping } from "../config/setup";
import type { Configuration } from "../config/configurations";

/** Runs the models, unless that is in progress or done for this trace, memory and part of it. */
export async function runModels(context: Context): Promise<void> {
  const { trace, configuration, cpus, compare, stale } =
    context.store.getState();
  if (!trace || !configuration || stale || trace.n_accesses === 0) return;
  const { models: before } = compare;
  if (before && isOf(before, trace, configuration)) return;
  context.models?.abort();
  const abort = new AbortController();
  context.models = abort;
  const { signal } = abort;
  // Small machines of textbooks have other pages and addresses.
  const all = processors(cpus).map((model) => onModel(model, configuration));
  let state: ModelsState = {
    trace,
    configuration,
    status: "running",
    runs: [],
    total: all.length,
  };
  const show = (part: Partial<ModelsState>) => {
    state = { ...state, ...part };
    if (context.models === abort) patch(context, { models: state });
  };
  show({});
  const add = (run: ModelRun) => show({ runs: [...state.runs, run] });
  /** Models that cannot have this memory run with plain pages. */
  const rerun: Configuration[] = [];
  const take =
    (asked: readonly Configuration[], isLast: boolean) =>
    (outcome: Outcome<"runWhole">) => {
      const run = asked[outcome.index];
      if (!run) return;
      if ("result" in outcome)
        add({ configuration: run, report: outcome.result });
      else if (!isLast && isAboutMapping(outcome.error))
        rerun.push(inPlainPages(run));
      else add({ configuration: run, error: outcome.error });
    };
  const run = (asked: readonly Configuration[], isLast: boolean) =>
    context.engine.many(
      "runWhole",
      asked.map(({ setup }) => setup),
      { signal, onOutcome: take(asked, isLast) },
    );
  try {
    await run(all, false);
    if (rerun.length > 0) await run(rerun, true);
    show({ status: "done" });
  } catch (thrown) {
    const error: EngineError = engineError(thrown);
    if (error.code === "cancelled") show({ status: "cancelled" });
    else show({ status: "failed", problem: placed(error.message, error.at) });
  }
}

/** Starts again after a cancellation or a failure. */
export function rerunModels(context: Context): Promise<void> {
  patch(context, { models: undefined });
  return runModels(context);
}

function onModel(
  { id, machine }: CpuModel,
  { setup }: Configuration,
): Configuration {
  return { cpu: id, setup: { ...setup, machine } };
}

function inPlainPages({ cpu, setup }: Configuration): Configuration {
  const os = { ...DEFAULT_OS, default: smallestPage(setup.machine) };
  return { cpu, setup: { ...setup, os } };
}

function isOf(
  { trace, configuration: before }: ModelsState,
  now: ModelsState["trace"],
  { setup }: Configuration,
): boolean {
  const { os, cores, window } = before.setup;
  return (
    trace === now &&
    os === setup.os &&
    cores === setup.cores &&
    window === setup.window
  );
}

/** The progress and the result of an experiment, for the gallery. */
import type { ExperimentResult } from "../../engine/generated/ExperimentResult";
import { accessRate, count, fixed } from "../shared/format";
import { tally } from "./comparison";
import { comparedText } from "./shipped";

export interface ExperimentProgress {
  /** Progress in accesses. */
  readonly done: number;
  readonly total?: number;
  /** Accesses per second. */
  readonly rate: number;
}

/** `waiting` until the engine starts the experiment. */
export type ExperimentState =
  | { readonly status: "waiting" }
  | { readonly status: "running"; readonly progress: ExperimentProgress }
  | {
      readonly status: "done";
      readonly result: ExperimentResult;
      /** How long the run took in this browser. */
      readonly seconds: number;
    }
  | { readonly status: "cancelled" }
  | { readonly status: "failed"; readonly why: string };

export function isUnderWay(state: ExperimentState | undefined): boolean {
  return state?.status === "waiting" || state?.status === "running";
}

/** Where a shown result comes from. */
export type Origin =
  | { readonly kind: "shipped" }
  | {
      readonly kind: "here";
      readonly time: string;
      /** How its numbers compare with the shipped ones, if there are any. */
      readonly compared: string | undefined;
    };

export interface ShownResult {
  readonly result: ExperimentResult;
  readonly origin: Origin;
}

/** The result of a run here, otherwise the shipped one. */
export function shownResult(
  state: ExperimentState | undefined,
  shipped: ExperimentResult | undefined,
): ShownResult | undefined {
  if (state?.status !== "done")
    return shipped && { result: shipped, origin: { kind: "shipped" } };
  const { result, seconds } = state;
  const compared = comparedText(result, shipped);
  const time = seconds < 0.05 ? "less than 0.1 s" : `${fixed(seconds, 1)} s`;
  return { result, origin: { kind: "here", time, compared } };
}

/** The progress: `1,204,224 of 4,406,160 accesses · 2.4 M/s`. */
export function progressText({
  done,
  total,
  rate,
}: ExperimentProgress): string {
  const of = total === undefined ? "" : ` of ${count(total)}`;
  return `${count(done)}${of} accesses · ${accessRate(rate)}`;
}

/** The tally, with the worst first: `3 differ, 2 undecided, 40 agree`. */
export function tallyText({
  tables,
}: Pick<ExperimentResult, "tables">): string {
  const { agrees, undecided, differs, worst } = tally(tables);
  if (worst === undefined) return "no numbers to compare";
  if (worst === "agrees") return `all ${count(agrees)} compared numbers agree`;
  return [
    differs > 0
      ? [`${count(differs)} ${differs === 1 ? "differs" : "differ"}`]
      : [],
    undecided > 0 ? [`${count(undecided)} undecided`] : [],
    [`${count(agrees)} agree`],
  ]
    .flat()
    .join(", ");
}

/** The state of a run in a few words, for the list and for screen readers. */
export function stateText(state: ExperimentState): string {
  switch (state.status) {
    case "waiting":
      return "waiting in the queue";
    case "running":
      return progressText(state.progress);
    case "done":
      return tallyText(state.result);
    case "cancelled":
      return "cancelled";
    case "failed":
      return "failed";
  }
}

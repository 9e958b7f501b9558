/** The progress and the result of an experiment, for the gallery. */
import type { ExperimentResult } from "../../engine/generated/ExperimentResult";
import type { Figure } from "../../engine/generated/Figure";
import { accessRate, count, counted, fixed } from "../shared/format";
import { tally } from "./comparison";
import type { Counts } from "./comparison";
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
  const of = total === undefined ? "" : `${count(done)} of `;
  return `${of}${counted(total ?? done, "access", "accesses")} · ${accessRate(rate)}`;
}

const verdictsText = ({ agrees, undecided, differs }: Counts): string =>
  [
    `${count(agrees)} ${agrees === 1 ? "agrees" : "agree"}`,
    ...(undecided > 0 ? [`${count(undecided)} undecided`] : []),
    ...(differs > 0
      ? [`${count(differs)} ${differs === 1 ? "differs" : "differ"}`]
      : []),
  ].join(", ");

/** The published figures first, the other kinds after them: `published: 0 agree, 2 differ; derived: 68 agree`. */
export function tallyText({
  tables,
}: Pick<ExperimentResult, "tables">): string {
  const kinds = tally(tables);
  if (kinds.length === 0) return "no numbers to compare";
  const texts = kinds.map(([kind, all]) => `${kind}: ${verdictsText(all)}`);
  const hasPublished = kinds.some(([kind]) => kind === "published");
  return [...(hasPublished ? [] : ["published: no verdict"]), ...texts].join(
    "; ",
  );
}

/** How many of all published numbers and directions agree: `1 agrees, 3 undecided, 8 differ`. */
export function publishedText(
  results: readonly Pick<ExperimentResult, "tables">[],
  what: "numbers" | "directions",
): string {
  const tables = results.flatMap((result) => result.tables);
  const isOne = ({ change }: Figure) =>
    (change !== undefined) === (what === "directions");
  const found = tally(tables, isOne).find(([kind]) => kind === "published");
  return found ? verdictsText(found[1]) : "no verdict";
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

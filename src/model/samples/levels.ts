/** Where the processor found the translations of sampled accesses, in words and as parts of a bar. */
import type { Levels } from "../../engine/generated/Levels";
import type { SurveyCounts } from "../../engine/generated/SurveyCounts";
import type { SurveyPage } from "../../engine/generated/SurveyPage";
import type { SurveySide } from "../../engine/generated/SurveySide";
import type { Share } from "../shared/units";

export type LevelKey = keyof Levels;

export interface LevelClass {
  readonly key: LevelKey;
  readonly word: string;
  readonly meaning: string;
}

/** In the order in which a bar has them. */
export const LEVEL_CLASSES: readonly LevelClass[] = [
  { key: "l1", word: "L1 hit", meaning: "Found in the first level of TLBs." },
  { key: "l2", word: "L2 hit", meaning: "Found in the second level of TLBs." },
  {
    key: "no_walk",
    word: "L1 or L2 hit",
    meaning:
      "Found in either level of TLBs: this processor does not tell them apart, so they are one class.",
  },
  { key: "walk", word: "walk", meaning: "In no TLB: the page table was read." },
  {
    key: "fault",
    word: "fault",
    meaning: "The page table had no page, and the system was asked.",
  },
  {
    key: "unknown",
    word: "not told",
    meaning: "The processor did not say where it found these.",
  },
];

/** The classes of which there is any. */
export function levelsIn({ levels }: SurveyCounts): readonly LevelClass[] {
  return LEVEL_CLASSES.filter(({ key }) => levels[key] > 0);
}

/** Whether the processor said of any sample where its translation was found. */
export function isMeasured({ levels, weight }: SurveyCounts): boolean {
  return weight > levels.unknown;
}

/** The share of walks, with or without a fault, among what is known; `undefined` if nothing is. */
export function walkedShare({ levels }: SurveyCounts): Share | undefined {
  const { l1, l2, no_walk: either, walk, fault } = levels;
  const known = l1 + l2 + either + walk + fault;
  return known > 0 ? (walk + fault) / known : undefined;
}

export interface LevelPart {
  readonly of: LevelClass;
  readonly share: Share;
  /** Where it begins in a bar of length 1. */
  readonly from: Share;
}

/** A bar of length 1: what there is of each class. */
export function levelParts(counts: SurveyCounts): readonly LevelPart[] {
  let from = 0;
  return levelsIn(counts).map((of) => {
    const share = counts.levels[of.key] / counts.weight;
    const part = { of, share, from };
    from += share;
    return part;
  });
}

/** What is known of a page, as counts: of its samples of known level, those that walked and those that did not. */
export function pageCounts(
  { samples, weight, walked }: SurveyPage,
  { total }: SurveySide,
): SurveyCounts {
  const none = { l1: 0, l2: 0, no_walk: 0, walk: 0, fault: 0, unknown: 0 };
  if (walked === null || !isMeasured(total))
    return {
      samples,
      weight,
      latency: null,
      levels: { ...none, unknown: weight },
    };
  const walk = walked * weight;
  const levels = { ...none, walk, no_walk: weight - walk };
  return { samples, weight, latency: null, levels };
}

/** The classes of pages: of those it is only known which samples walked. */
export function levelsOfPages({
  total,
  pages,
}: SurveySide): readonly LevelClass[] {
  const hasUnknown = pages.some(({ walked }) => walked === null);
  return LEVEL_CLASSES.filter(({ key }) =>
    key === "unknown"
      ? hasUnknown
      : isMeasured(total) && (key === "no_walk" || key === "walk"),
  );
}

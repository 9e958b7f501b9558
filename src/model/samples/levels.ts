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

/** The classes in the order of a bar. */
export const LEVEL_CLASSES: readonly LevelClass[] = [
  { key: "l1", word: "L1 hit", meaning: "Found in the first TLB level." },
  { key: "l2", word: "L2 hit", meaning: "Found in the second TLB level." },
  {
    key: "no_walk",
    word: "L1 or L2 hit",
    meaning:
      "Found in either TLB level: this processor does not distinguish them, so they are one class.",
  },
  { key: "walk", word: "walk", meaning: "In no TLB: the page table was read." },
  {
    key: "fault",
    word: "fault",
    meaning: "The page table had no page, so the operating system was called.",
  },
  {
    key: "unknown",
    word: "unknown",
    meaning: "The processor did not report where it found these.",
  },
];

/** The classes that occur. */
export function levelsIn({ levels }: SurveyCounts): readonly LevelClass[] {
  return LEVEL_CLASSES.filter(({ key }) => levels[key] > 0);
}

/** Whether the processor reported the TLB level of any sample. */
export function isMeasured({ levels, weight }: SurveyCounts): boolean {
  return weight > levels.unknown;
}

/** The share of walks, with or without a fault, among known levels; `undefined` if none is known. */
export function walkedShare({ levels }: SurveyCounts): Share | undefined {
  const { l1, l2, no_walk: either, walk, fault } = levels;
  const known = l1 + l2 + either + walk + fault;
  return known > 0 ? (walk + fault) / known : undefined;
}

export interface LevelPart {
  readonly of: LevelClass;
  readonly share: Share;
  /** The start in a bar of length 1. */
  readonly from: Share;
}

/** The parts of a bar of length 1, one per class that occurs. */
export function levelParts(counts: SurveyCounts): readonly LevelPart[] {
  let from = 0;
  return levelsIn(counts).map((of) => {
    const share = counts.levels[of.key] / counts.weight;
    const part = { of, share, from };
    from += share;
    return part;
  });
}

/** The counts of a page: of its samples with a known level, those that walked and those that did not. */
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

/** The classes for pages: it is only known which samples walked. */
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

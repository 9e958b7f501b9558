/** Facts about samples, in words. */
import type { Backing } from "../../engine/generated/Backing";
import type { Completeness } from "../../engine/generated/Completeness";
import type { SampledEvent } from "../../engine/generated/SampledEvent";
import type { Sampling } from "../../engine/generated/Sampling";
import type { SurveyRegion } from "../../engine/generated/SurveyRegion";
import type { SurveyReport } from "../../engine/generated/SurveyReport";
import type { SurveyRow } from "../../engine/generated/SurveyRow";
import type { SurveySide } from "../../engine/generated/SurveySide";
import { count, counted } from "../shared/format";

/** The side of the samples: by data address, by the page that faulted, or by instruction pointer. */
export type SideKey = "data" | "faults" | "code";

export const SIDE_WORDS: Readonly<Record<SideKey, string>> = {
  data: "Data",
  faults: "Page faults",
  code: "Code",
};

/** The sides that a report has. */
export function sidesOf(report: SurveyReport): readonly SideKey[] {
  const keys: readonly SideKey[] = ["data", "faults", "code"];
  return keys.filter((key) => report[key] !== null);
}

/** What the numbers of a side count, and what they do not. */
export function tagMeaning(key: SideKey, completeness: Completeness): string {
  if (key === "faults")
    return "Each sample is a page fault, usually the first touch of a page. It shows which memory is used and when, not how often a TLB misses.";
  if (completeness === "latency-filtered")
    return "Only slow accesses were recorded. Misses are more frequent among them than among all, so shares of walks are too high.";
  if (key === "code")
    return "Each sample is where the program was when a counter overflowed: pages by the time spent on them, not a stream of fetches.";
  return "Each sample stands for many accesses. Shares and pages match the program within chance; order and single hits are unknown.";
}

export function eventName({ name }: SampledEvent): string {
  return name === "" ? "unnamed event" : name;
}

/** The sampling rate, `one of 2,000`, `4,000 a second`; empty if it is unknown. */
export function periodText({ period, frequency }: SampledEvent): string {
  if (period !== null)
    return period === 1 ? "every one" : `one of ${count(period)}`;
  return frequency === null ? "" : `${count(frequency)} a second`;
}

/** Event, period and losses of a side, shown with its numbers. */
export function sourceText(
  { events, total }: SurveySide,
  sampling: Sampling,
): string {
  const texts = events
    .flatMap((at) => sampling.events[at] ?? [])
    .filter((event) => event.samples > 0)
    .map((event) =>
      [eventName(event), periodText(event)]
        .filter((text) => text !== "")
        .join(", "),
    );
  return [
    counted(total.samples, "sample"),
    ...texts,
    sampling.lost > 0 ? `${count(sampling.lost)} lost` : "none lost",
  ].join(" · ");
}

/**
 * The name of a region: `[heap]`, `/bin/ls (text)`, `heap, guessed`, `anonymous
 * 0x7f0000000000–0x7f0000200000`.
 */
export function regionText({ name, kind, inferred }: SurveyRegion): string {
  const guess = inferred && kind !== null ? ", guessed" : "";
  // If a long text is cut off, the end of the range is lost.
  if (kind !== null && name.startsWith("0x")) return `${kind}${guess} ${name}`;
  if (kind === null || kind === name) return `${name}${guess}`;
  return `${name} (${kind}${guess})`;
}

export function rowName({ name, file, region }: SurveyRow): string {
  if (region) return regionText(region);
  if (name !== "") return name;
  return file === "" ? "unknown" : `in ${file}`;
}

const BACKINGS: Readonly<
  Record<Backing, { readonly word: string; readonly meaning: string }>
> = {
  huge: { word: "huge", meaning: "It is a huge page already." },
  mixed: { word: "partly huge", meaning: "Huge for part of the time." },
  small: { word: "small", meaning: "Made of small pages." },
  "in-one-frame": {
    word: "in one frame",
    meaning:
      "Its physical addresses are in one aligned 2M frame: it may be huge already.",
  },
  scattered: {
    word: "scattered",
    meaning: "Its physical addresses are not in one 2M frame.",
  },
  unknown: { word: "–", meaning: "Not in the recording." },
};

export function backingWord(backing: Backing): string {
  return BACKINGS[backing].word;
}

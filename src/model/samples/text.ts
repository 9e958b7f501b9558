/** What samples tell, in words. */
import type { Backing } from "../../engine/generated/Backing";
import type { Completeness } from "../../engine/generated/Completeness";
import type { SampledEvent } from "../../engine/generated/SampledEvent";
import type { Sampling } from "../../engine/generated/Sampling";
import type { SurveyRegion } from "../../engine/generated/SurveyRegion";
import type { SurveyReport } from "../../engine/generated/SurveyReport";
import type { SurveyRow } from "../../engine/generated/SurveyRow";
import type { SurveySide } from "../../engine/generated/SurveySide";
import { count, counted } from "../shared/format";

/** Which samples are looked at: by data address, by the page that faulted, or by instruction pointer. */
export type SideKey = "data" | "faults" | "code";

export const SIDE_WORDS: Readonly<Record<SideKey, string>> = {
  data: "Data",
  faults: "Page faults",
  code: "Code",
};

/** Those that a report has. */
export function sidesOf(report: SurveyReport): readonly SideKey[] {
  const keys: readonly SideKey[] = ["data", "faults", "code"];
  return keys.filter((key) => report[key] !== null);
}

/** What the numbers of a side are of, and what they are not. */
export function tagMeaning(key: SideKey, completeness: Completeness): string {
  if (key === "faults")
    return "Each sample is a page fault, most often the first touch of a page: they show which memory is used and when, not how often a TLB misses.";
  if (completeness === "latency-filtered")
    return "Only accesses that took long were recorded. Those that miss are among them more often than among all, so shares of walks are too high.";
  if (key === "code")
    return "Each sample is where the program was when a counter ran over: pages in proportion to the time that is spent on them, not a stream of fetches.";
  return "Each sample stands for many accesses. Shares and places are those of the program as far as chance allows; order and single hits are not known.";
}

export function eventName({ name }: SampledEvent): string {
  return name === "" ? "an event without a name" : name;
}

/** `one of 2,000`, `4,000 a second`; empty where it is not known. */
export function periodText({ period, frequency }: SampledEvent): string {
  if (period !== null)
    return period === 1 ? "every one" : `one of ${count(period)}`;
  return frequency === null ? "" : `${count(frequency)} a second`;
}

/** Event, period and losses of a side, as they go with its numbers. */
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

/** `[heap]`, `/bin/ls (text)`, `heap, guessed`, `anonymous 0x7f0000000000–0x7f0000200000`. */
export function regionText({ name, kind, inferred }: SurveyRegion): string {
  const guess = inferred && kind !== null ? ", guessed" : "";
  // Where the end of a long text is cut off, it is that of the range.
  if (kind !== null && name.startsWith("0x")) return `${kind}${guess} ${name}`;
  if (kind === null || kind === name) return `${name}${guess}`;
  return `${name} (${kind}${guess})`;
}

export function rowName({ name, file, region }: SurveyRow): string {
  if (region) return regionText(region);
  if (name !== "") return name;
  return file === "" ? "not known" : `in ${file}`;
}

const BACKINGS: Readonly<
  Record<Backing, { readonly word: string; readonly meaning: string }>
> = {
  huge: { word: "huge", meaning: "A huge page is there already." },
  mixed: { word: "partly huge", meaning: "Huge for a part of the time." },
  small: { word: "small", meaning: "Of pages that are not huge." },
  "in-one-frame": {
    word: "in one frame",
    meaning:
      "Its physical addresses are those of one aligned frame of 2M: it may be huge already.",
  },
  scattered: {
    word: "scattered",
    meaning: "Its physical addresses are not those of one frame of 2M.",
  },
  unknown: { word: "–", meaning: "The recording does not tell." },
};

export function backingWord(backing: Backing): string {
  return BACKINGS[backing].word;
}

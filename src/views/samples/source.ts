import type { Completeness } from "../../engine/generated/Completeness";
import { completenessWord } from "../../model/import/traceText";

/** What numbers are of: it goes with each of them. */
export interface SampleSource {
  readonly completeness: Completeness;
  /** The file has more samples than were read. */
  readonly part: boolean;
  /** Samples, event, period, losses. */
  readonly text: string;
  /** The beginning of names of files. */
  readonly file: string;
}

/** The same as columns of a table that is saved. */
export function facts(source: SampleSource) {
  return { completeness: sourceWord(source), "counted from": source.text };
}

/** How much of the program the samples hold, and whether they are all of their file. */
export function sourceWord({
  completeness,
  part,
}: Pick<SampleSource, "completeness" | "part">): string {
  return completenessWord(completeness, undefined, part);
}

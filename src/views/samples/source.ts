import type { Completeness } from "../../engine/generated/Completeness";
import { completenessWord } from "../../model/import/traceText";

/** The source of numbers, shown with each of them. */
export interface SampleSource {
  readonly completeness: Completeness;
  /** Whether only some of the file's samples were read. */
  readonly part: boolean;
  /** Samples, event, period and losses in words. */
  readonly text: string;
  /** The prefix of file names. */
  readonly file: string;
}

/** The source as columns of a saved table. */
export function facts(source: SampleSource) {
  return { completeness: sourceWord(source), "counted from": source.text };
}

/** The completeness as a word, and whether the samples are partial. */
export function sourceWord({
  completeness,
  part,
}: Pick<SampleSource, "completeness" | "part">): string {
  return completenessWord(completeness, undefined, part);
}

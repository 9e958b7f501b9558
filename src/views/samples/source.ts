import type { Completeness } from "../../engine/generated/Completeness";
import { completenessWord } from "../../model/traceText";

/** What numbers are of: it goes with each of them. */
export interface SampleSource {
  readonly completeness: Completeness;
  /** Samples, event, period, losses. */
  readonly text: string;
  /** The beginning of names of files. */
  readonly file: string;
}

/** The same as columns of a table that is saved. */
export function facts({ completeness, text }: SampleSource) {
  return { completeness: completenessWord(completeness), "counted from": text };
}

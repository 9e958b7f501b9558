/** The recorded pages as the baseline of the what-if screen, in words. */
import { isAsRecorded, policyWord } from "../config/pagePolicies";
import { recordedText } from "../config/recorded";
import { counted } from "../shared/format";
import { rangeText } from "./pages";
import type { WhatIf } from "./whatIf";

/** What the recorded pages are, and what is doubtful; `undefined` if the replay does not have them. */
export function recordedNote({
  own,
  trace: { recorded },
}: Pick<WhatIf, "own" | "trace">): string | undefined {
  if (!recorded || !isAsRecorded(own.os)) return undefined;
  const { warning } = recorded;
  return `${recordedText(recorded)}${warning === undefined ? "" : ` ${warning}.`}`;
}

/** How many ranges a sentence names. */
const NAMED = 3;

/** The ranges that are huge already, which the advice leaves out; `undefined` if there are none. */
export function alreadyHuge({
  own,
  trace: { recorded },
}: Pick<WhatIf, "own" | "trace">): string | undefined {
  if (!recorded || !isAsRecorded(own.os) || recorded.n_ranges === 0)
    return undefined;
  const named = recorded.ranges
    .slice(0, NAMED)
    .map(
      ({ start, end, pages }) =>
        `${rangeText(start, end)} (${policyWord(pages)})`,
    );
  const more = recorded.n_ranges - named.length;
  const rest = more > 0 ? [counted(more, "more range")] : [];
  return `Huge already, as recorded: ${[...named, ...rest].join(", ")}. The advice begins with these pages.`;
}

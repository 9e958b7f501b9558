/** What the picture says about an answer before the access runs. No sentence tells whether it is right. */
import { hex } from "../shared/hex";
import { entryAt } from "../tlb/array";
import { spotOf } from "./pictureAnswer";
import type { AskedArray } from "./pictureAnswer";
import type { SayLearn } from "./question";

/** An answer with its noun: `set 5`. */
export function answerName(kind: string, given: string, say: SayLearn): string {
  const answer = say("choice", { choice: given });
  return say("answerName", { kind, answer });
}

/** The state of the set or of the way that an answer names. */
export function answerSentence(
  asked: AskedArray | undefined,
  given: string,
  say: SayLearn,
): string {
  if (!asked) return say("runAndSee");
  const spot = spotOf(asked, given);
  const { view, content } = asked;
  if (!spot) return nowhere(asked, given, say);
  const { set, way } = spot;
  if (way === null) return setSentence(asked, set, say);
  const entry = entryAt(content, view.ways, set, way);
  const state = entry
    ? say("wayHolds", { way, page: hex(entry.key), at: entry.usedAt })
    : say("wayEmpty", { way });
  return `${state} ${say("runAndSee")}`;
}

/** An answer that names no place of the array. */
function nowhere(
  { what, view }: AskedArray,
  given: string,
  say: SayLearn,
): string {
  const { name: array, sets, ways } = view;
  switch (what) {
    case "set":
      return say("setsTo", { array, last: sets - 1 });
    case "way":
      return say("waysTo", { array, last: ways - 1 });
    case "victim":
      return say(given === "none" ? "noneLeaves" : "noSuchEntry");
  }
}

function setSentence(
  { view, content }: AskedArray,
  set: number,
  say: SayLearn,
): string {
  const { ways } = view;
  const used = Array.from({ length: ways }, (_, way) =>
    entryAt(content, ways, set, way),
  ).filter((entry) => entry !== null).length;
  const state = used === 0 ? "setEmpty" : used === ways ? "setFull" : "setPart";
  return say(state, { set, used, ways });
}

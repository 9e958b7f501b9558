/** What the picture says about an answer before the access runs. No sentence tells whether it is right. */
import { count, counted } from "../shared/format";
import { hex } from "../shared/hex";
import { entryAt } from "../tlb/array";
import { spotOf } from "./pictureAnswer";
import type { AskedArray, Pressable } from "./pictureAnswer";

/** A noun before the answer: `set 5`. */
const NOUNS: Partial<Record<string, string>> = { set: "set", way: "way" };

export function answerName(kind: string, given: string): string {
  const noun = NOUNS[kind];
  return noun === undefined ? given : `${noun} ${given}`;
}

/** What one may press in place of typing. */
export const PRESS: Readonly<Record<Pressable, string>> = {
  set: "You may also click a set in the picture.",
  way: "You may also click a way in the picture.",
  victim: "You may also click an entry in the picture.",
  field: "You may also click a part of the address in the picture.",
};

/** The state of the set or of the way that an answer names. */
export function answerSentence(
  asked: AskedArray | undefined,
  given: string,
): string {
  if (!asked) return RUN;
  const spot = spotOf(asked, given);
  const { what, view, content } = asked;
  if (!spot)
    return what === "set"
      ? `The ${view.name} has sets 0 to ${view.sets - 1}.`
      : what === "way"
        ? `A set of the ${view.name} has ways 0 to ${view.ways - 1}.`
        : given === "none"
          ? "You expect an empty way: no entry leaves."
          : "No entry of the picture has this page.";
  const { set, way } = spot;
  if (way === null) return setSentence(asked, set);
  const entry = entryAt(content, view.ways, set, way);
  return entry
    ? `Way ${way} holds page ${hex(entry.key)}, last used at access ${count(entry.usedAt)}. ${RUN}`
    : `Way ${way} is empty. ${RUN}`;
}

const RUN = "Run it, and see.";

function setSentence({ view, content }: AskedArray, set: number): string {
  const used = Array.from({ length: view.ways }, (_, way) =>
    entryAt(content, view.ways, set, way),
  ).filter((entry) => entry !== null).length;
  const ways = counted(view.ways, "way");
  if (used === 0) return `Set ${set} is empty: all ${ways} are free.`;
  return used === view.ways
    ? `All ${ways} of set ${set} are taken. If you are right and the page is not among them, one must leave.`
    : `${count(used)} of ${ways} of set ${set} ${used === 1 ? "is" : "are"} taken.`;
}

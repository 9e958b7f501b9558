/** The walk of an access that ended with a page fault, up to the entry that ended it. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { counted } from "../shared/format";
import {
  endingOf,
  fieldText,
  noTranslation,
  refusedField,
} from "../replay/noTranslation";
import { wordsOf } from "../words/words";

export interface Refusal {
  /** The field that ended the walk: `W is 0`. */
  readonly field: string;
  /** The field and the reason: `W is 0: the page may not be written`. */
  readonly text: string;
  /** What the entry does: `is not valid`, `denies the access`. */
  readonly verb: string;
  /** The exception: `#PF 0x4`. */
  readonly title: string;
  /** The tables below, `2 tables`, or `the page` if there are none. */
  readonly rest: string;
}

export interface RefusedWalk {
  /** The entries that the walk read, in the form of a walk that found its page. */
  readonly translation: TranslationView;
  readonly refusal: Refusal;
}

/** An entry without a mapping denies nothing: it leads nowhere. */
const NO_MAPPING: Readonly<Record<string, string>> = {
  P: "is not present",
  V: "is not valid",
};

/** `null` if no entry of a table ended the walk. */
export function refusedWalk(
  step: StepView,
  machine: MachineView,
): RefusedWalk | null {
  const { refused, access, exception } = step;
  if (!refused) return null;
  const { levels, hashed } = refused;
  const title = endingOf(step, machine)?.title ?? "";
  const translation = {
    ...noTranslation({ access }),
    levels,
    ...(hashed ? { hashed } : {}),
    refs: hashed?.lines.length ?? levels.length,
  };
  const last = levels.at(-1);
  if (!last) {
    const why = "no line holds the page";
    const verb = "is not present";
    return {
      translation,
      refusal: { field: why, text: why, verb, title, rest: "the page" },
    };
  }
  const field = refusedField(step);
  const name = field ? fieldText(field) : refused.field;
  const missing = NO_MAPPING[field?.name ?? refused.field];
  const entry = wordsOf(machine).tableEntry(last.table_name);
  const why = missing
    ? `the ${entry} ${missing}`
    : (exception?.meaning ?? field?.meaning ?? "");
  const below = last.leaf ? 0 : last.level - 1;
  return {
    translation: { ...translation, page_shift: last.shift },
    refusal: {
      field: name,
      text: `${name}: ${why}`,
      verb: missing ?? "denies the access",
      title,
      rest: below > 0 ? `${counted(below, "table")} and the page` : "the page",
    },
  };
}

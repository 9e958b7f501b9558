/** The walk of an access that ended with a page fault, up to the entry that refused it. */
import type { FieldView } from "../../engine/generated/FieldView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { counted } from "../shared/format";
import { endingOf, noTranslation } from "../replay/noTranslation";

export interface Refusal {
  /** The field that refused: `W is 0`. */
  readonly field: string;
  /** The field and the reason: `W is 0: the page may not be written`. */
  readonly text: string;
  /** The tables below, `2 tables`, or `the page` if there are none. */
  readonly rest: string;
}

export interface RefusedWalk {
  /** The entries that the walk read, in the form of a walk that found its page. */
  readonly translation: TranslationView;
  readonly refusal: Refusal;
}

/** `null` if no entry of a table refused the access. */
export function refusedWalk(
  step: StepView,
  machine: MachineView,
): RefusedWalk | null {
  const { refused, access } = step;
  const last = refused?.levels.at(-1);
  if (!refused || !last) return null;
  const { levels } = refused;
  const field = last.fields.find(({ name }) => name === refused.field);
  const name = fieldText(refused.field, field);
  const why = endingOf(step, machine)?.why ?? field?.meaning ?? "";
  const below = last.leaf ? 0 : last.level - 1;
  return {
    translation: {
      ...noTranslation({ access }),
      page_shift: last.shift,
      levels,
      refs: levels.length,
    },
    refusal: {
      field: name,
      text: `${name}: ${why}`,
      rest: below > 0 ? `${counted(below, "table")} and the page` : "the page",
    },
  };
}

function fieldText(name: string, field: FieldView | undefined): string {
  if (!field) return name;
  const { high, low, value } = field;
  return `${name} is ${high === low ? value.slice(2) : value}`;
}

/** Accesses that end without a translation, and why. */
import type { ExceptionView } from "../../engine/generated/ExceptionView";
import type { FieldView } from "../../engine/generated/FieldView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { wordsOf } from "../words/words";
import { errorCodeWords } from "./errorCode";
import { say, term } from "./parts";
import type { Part } from "./parts";

export interface Ending {
  /** The title: `#PF 0x7`, `bus error`. */
  readonly title: string;
  /** Whether an exception ended the access: a prefetch has none. */
  readonly isException: boolean;
  /** The cause, without the title: `W is 0 in the PT entry`. */
  readonly cause: string;
  /** Sentences with the cause and the exception. */
  readonly sentence: readonly Part[];
}

type Ended = Pick<
  StepView,
  "access" | "exception" | "refused" | "translations"
>;

/** Why there is no translation; `null` if there is one and nothing failed. */
export function endingOf(
  step: Ended,
  machine: Pick<MachineView, "tables"> = { tables: "x86" },
): Ending | null {
  const { access, exception, translations } = step;
  if (exception) return raised(exception, step, machine);
  if (translations.length > 0) return null;
  return access.kind === "prefetch"
    ? ending(
        "prefetch dropped",
        "the page is not mapped, and a prefetch never faults",
        false,
      )
    : ending("bus error", "the pool of huge pages was empty");
}

function ending(title: string, cause: string, isException = true): Ending {
  const named = isException ? term(title, "exception") : title;
  const sentence = say`The access ends with ${named}: ${cause}.`;
  return {
    title,
    isException,
    cause,
    sentence: isException ? sentence : say`${title}: ${cause}.`,
  };
}

/** `Page fault, not served: V is 0 in the PT entry. The access ends with #PF, error code 0x4 (…).` */
function raised(
  { name, code, meaning }: ExceptionView,
  step: Ended,
  machine: Pick<MachineView, "tables">,
): Ending {
  const words = wordsOf(machine);
  const title = words.exception(name, code);
  if (code === null) return ending(title, meaning);
  const table = step.refused?.levels.at(-1)?.table_name;
  const field = refusedField(step);
  const cause =
    field && table !== undefined
      ? `${fieldText(field)} in the ${words.tableEntry(table)}`
      : meaning;
  // Arm’s title says all that its syndrome does.
  const isCoded = title.startsWith("#");
  const raised = isCoded
    ? say`${term(name, "exception")}, ${term(`error code ${code}`, "error-code")} (${errorCodeWords(code)})`
    : say`a ${term(title, "exception")}`;
  return {
    title,
    isException: true,
    cause,
    sentence: say`${term("Page fault", "page-fault")}, not served: ${cause}. The access ends with ${raised}.`,
  };
}

/** Names of other formats for a field that the core calls by its name of x86. */
const OTHER_NAMES: Readonly<Record<string, string>> = { P: "V", XD: "X" };

/** The field of the last entry that ended the walk, under the name of the machine’s entry format. */
export function refusedField({
  refused,
}: Pick<StepView, "refused">): FieldView | undefined {
  if (!refused) return undefined;
  const { field, levels } = refused;
  const fields = levels.at(-1)?.fields ?? [];
  const named = (name: string | undefined) =>
    fields.find((each) => each.name === name);
  return named(field) ?? named(OTHER_NAMES[field]);
}

/** `W is 0`, `key is 0x3`. */
export function fieldText({ name, high, low, value }: FieldView): string {
  return `${name} is ${high === low ? value.slice(2) : value}`;
}

/** The picture of such an access: all structures, none of them looked up. */
export function noTranslation({
  access,
}: Pick<StepView, "access">): TranslationView {
  return {
    address: access.address,
    page_size: "4K",
    page_shift: 12,
    page_number: access.address,
    outcome: "exception",
    tlb: [],
    psc: [],
    fills: [],
    left: [],
    levels: [],
    refs: 0,
    ad_updates: 0,
    physical: "0x0",
    frame: "0x0",
    cycles: {
      l2_hit: 0,
      l2_miss: 0,
      walk_overhead: 0,
      references: 0,
      total: 0,
    },
    nested: null,
  };
}

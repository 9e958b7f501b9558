/** Accesses that end without a translation, and why. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { wordsOf } from "../words/words";

export interface Ending {
  /** The title: `#PF 0x7`, `bus error`. */
  readonly title: string;
  /** The text after the title. */
  readonly why: string;
}

/** Why there is no translation; `null` if there is one and nothing failed. */
export function endingOf(
  {
    access,
    exception,
    translations,
  }: Pick<StepView, "access" | "exception" | "translations">,
  machine: Pick<MachineView, "tables"> = { tables: "x86" },
): Ending | null {
  if (exception) {
    const { name, code, meaning } = exception;
    return { title: wordsOf(machine).exception(name, code), why: meaning };
  }
  if (translations.length > 0) return null;
  return access.kind === "prefetch"
    ? {
        title: "prefetch dropped",
        why: "the page is not mapped, and a prefetch never faults",
      }
    : {
        title: "bus error",
        why: "the pool of huge pages was empty",
      };
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

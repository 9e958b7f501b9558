/** Which questions of a draft students cannot answer, and why. */
import type { Ask } from "../../engine/generated/Ask";
import type { Panel } from "../../engine/generated/Panel";
import type { StructureView } from "../../engine/generated/StructureView";
import { count } from "../shared/format";
import { aboutOf } from "./draft";
import type { Draft } from "./draft";
import { arrayOf, askName } from "./kinds";
import { MOST_KNOWN } from "./known";

/** The panels without which a question cannot be answered. */
const NEEDED: Readonly<Partial<Record<Ask["kind"], readonly Panel[]>>> = {
  outcome: ["tlb"],
  way: ["tlb"],
  victim: ["tlb"],
  references: ["tlb"],
  cycles: ["tlb"],
  "entry-address": ["walk"],
};

export interface Trace {
  readonly accesses: number;
  /** The access that is shown. */
  readonly at: number;
}

export function draftWarnings(
  draft: Draft,
  structures: readonly StructureView[],
  { accesses, at }: Trace,
): readonly string[] {
  return draft.asks.flatMap((ask) => {
    const name = `“${askName(ask)}”`;
    const hidden = NEEDED[ask.kind]?.find((lock) =>
      draft.locked.includes(lock),
    );
    if (hidden !== undefined)
      return [
        `${name} needs a panel that is hidden: ${hidden === "tlb" ? "TLB" : hidden}.`,
      ];
    if (ask.kind === "number") {
      const last = aboutOf(draft, ask).where === "this" ? at + 1 : accesses;
      if (last > MOST_KNOWN)
        return [
          `${name} cannot be counted by hand: students see the last ${count(MOST_KNOWN)} accesses.`,
        ];
    }
    if (ask.kind === "victim" || ask.kind === "way") {
      const array = structures.find((each) => each.name === arrayOf(ask));
      if (array?.replacement === "random")
        return [`${name} cannot be known: the array evicts at random.`];
    }
    return [];
  });
}

/** Changes by operations between accesses, and by acts of the operating system, for the pictures. */
import type { ChangeView } from "../../engine/generated/ChangeView";
import type { Cores } from "../../engine/generated/Cores";
import type { EffectsView } from "../../engine/generated/EffectsView";
import type { FieldView } from "../../engine/generated/FieldView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { Op } from "../../engine/generated/Op";
import type { StepView } from "../../engine/generated/StepView";
import type { SystemAct } from "../../engine/generated/SystemAct";
import { counted } from "../shared/format";
import { isListed } from "./happened";
import { opTitle } from "./operations";
import { structureName } from "../tlb/names";
import { processText } from "../import/traceText";
import { nestedName, wordsOf } from "../words/words";

/** Something that happened around an access, and what it changed. */
export interface Happening {
  readonly title: string;
  /** Who did it and when: `process 7, before the access`. */
  readonly by: string;
  readonly effects: EffectsView;
  /** Whether it may keep global translations while it invalidates others. */
  readonly sparesGlobal: boolean;
}

const ACTS: Readonly<Record<SystemAct, string>> = {
  map: "first touch: page mapped",
  "map-shared": "resident page mapped",
  copy: "copy on write",
  keep: "copy on write: sole owner, page kept",
  "swap-in": "page read from disk",
  promote: "khugepaged: promoted to a huge page",
  recap: "hugetext: huge pages moved to other code",
};

const SPARING: readonly Op["op"][] = ["mov-cr3", "invpcid", "invvpid"];

/** Operations before the access, acts at it, operations after the last access of a trace. */
export function happenings(
  { before, acts = [], after }: Pick<StepView, "before" | "acts" | "after">,
  machine: Pick<MachineView, "tables">,
): Happening[] {
  const ofOps = (ops: StepView["before"], when: string) =>
    ops.map((op): Happening => ({
      title: opTitle(op, machine),
      by: `process ${processText(op.pid)}, ${when}`,
      effects: op,
      sparesGlobal: SPARING.includes(op.op.op),
    }));
  return [
    ...ofOps(before, "before this access"),
    ...acts.filter(isListed).map((act): Happening => ({
      title: `${ACTS[act.act]}, ${act.address}`,
      by: "the OS, at this access",
      effects: act,
      sparesGlobal: false,
    })),
    ...ofOps(after, "after this access"),
  ];
}

/** A field of an entry that changed. */
export interface ChangedBit {
  readonly name: string;
  readonly was: string;
  readonly now: string;
  readonly meaning: string;
}

const digits = ({ value, high, low }: FieldView) =>
  high === low ? value.slice(2) : value;

/** The changed bits, highest first. If only one state is present, its fields that are not 0. */
export function changedBits({
  was_fields,
  now_fields,
}: Pick<ChangeView, "was_fields" | "now_fields">): ChangedBit[] {
  const isFull = now_fields.length >= was_fields.length;
  const [listed, others] = isFull
    ? [now_fields, was_fields]
    : [was_fields, now_fields];
  const comparable = was_fields.length === now_fields.length;
  return listed.flatMap((field) => {
    const other = others.find(
      ({ high, low }) => high === field.high && low === field.low,
    );
    // The other state says only that it is not present.
    const else_ = other ? digits(other) : comparable ? "" : "–";
    const own = digits(field);
    const differs = other ? own !== else_ : BigInt(field.value) !== 0n;
    if (!differs) return [];
    const [was, now] = isFull ? [else_, own] : [own, else_];
    return [{ name: field.name, was, now, meaning: field.meaning }];
  });
}

/** The name of an entry: `PT[181]`; of the host `nL1[181]`, `S2L3[181]`. */
export function entryOf(
  { table_name, index }: ChangeView,
  machine: Pick<MachineView, "tables">,
): string {
  return `${nestedName(table_name, wordsOf(machine))}[${index}]`;
}

/** The change: `W 1→0, XD 0→1`; the whole entry if it was created or removed. */
export function changeText(change: ChangeView): string {
  if (BigInt(change.was) === 0n) return `empty → ${change.now}`;
  if (BigInt(change.now) === 0n) return `${change.was} → empty`;
  return changedBits(change)
    .map(({ name, was, now }) => `${name} ${was}→${now}`)
    .join(", ");
}

/** What one structure of this core lost. */
export interface Drop {
  readonly structure: number;
  readonly name: string;
  readonly dropped: number;
  /** The number of global translations that were kept. */
  readonly stayed: number;
}

/** Structures that lost entries, or kept global ones. */
export function dropsOf(
  { effects, sparesGlobal }: Happening,
  machine: MachineView,
): Drop[] {
  return effects.dropped.flatMap((dropped, structure) => {
    const stayed = sparesGlobal ? (effects.stayed[structure] ?? 0) : 0;
    if (dropped + stayed === 0) return [];
    return [
      { structure, name: structureName(machine, structure), dropped, stayed },
    ];
  });
}

/** Another core that a shootdown reached. */
export interface NotifiedCore {
  /** Its name: `thread 2`, `processor 3`. */
  readonly name: string;
  /** What reached it, and why. */
  readonly how: string;
  /** The number of entries that it lost. */
  readonly n: number;
  /** What it lost: `2 invalidated: L1 dTLB 1, STLB 1`. */
  readonly what: string;
}

export function coresOf(
  { cores }: EffectsView,
  machine: MachineView,
  by: Cores,
): NotifiedCore[] {
  return cores.map(({ core, runs, dropped }) => {
    const n = dropped.reduce((sum, each) => sum + each, 0);
    const parts = dropped.flatMap((each, at) =>
      each === 0 ? [] : [`${structureName(machine, at)} ${each}`],
    );
    return {
      name: `${by === "cpu" ? "processor" : "thread"} ${core}`,
      how: runs ? "interrupted" : "runs another process",
      n,
      what:
        n === 0 ? "held none of them" : `${n} invalidated: ${parts.join(", ")}`,
    };
  });
}

/** Other changes: `and 240 more entries`, `3 in the child's tables`. */
export function moreChanges({
  changes,
  n_changes,
  n_of_others,
}: EffectsView): string[] {
  const more = n_changes - n_of_others - changes.length;
  return [
    ...(more > 0 ? [`and ${counted(more, "more entry", "more entries")}`] : []),
    ...(n_of_others > 0
      ? [`${counted(n_of_others, "entry", "entries")} in tables of others`]
      : []),
  ];
}

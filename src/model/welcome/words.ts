/** What the first screen says about each step of the walk that a newcomer watches. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { say, term } from "../replay/parts";
import type { Part } from "../replay/parts";
import { count, counted, cycles, pageSize } from "../shared/format";
import type { Cycles } from "../shared/units";
import { structureName } from "../tlb/names";
import { nativeSteps } from "../walk/steps";
import type { NativeStep } from "../walk/steps";
import { pageEnd } from "../walk/tables";

/** What is shown: the access before its walk, a step of the walk, or the access after it. */
export interface Moment {
  readonly title: string;
  readonly text: readonly Part[];
}

/** The steps of the walk of the access. */
export function watchedSteps(
  step: StepView,
  machine: MachineView,
): readonly NativeStep[] {
  const [translation] = step.translations;
  if (!translation) return [];
  return nativeSteps({ translation, machine, kind: step.access.kind });
}

/** The access alone: `Access 0: fetch of 3 bytes at 0x401ab70.` */
export function accessText({ access, index }: StepView): string {
  const size = access.size === 0 ? "" : ` of ${counted(access.size, "byte")}`;
  return `Access ${count(index)}: ${access.kind}${size} at ${access.address}.`;
}

/** `at` is the number of the step; −1 is before the first one. */
export function momentOf(
  step: StepView,
  machine: MachineView,
  at: number,
): Moment | undefined {
  const [translation] = step.translations;
  if (!translation) return undefined;
  if (at < 0) return before(translation);
  const current = watchedSteps(step, machine)[at];
  if (!current) return undefined;
  const [table = -1] = current.tables;
  const level = translation.levels[table];
  if (current.kind === "page") return found(translation, machine);
  if (current.kind !== "read" || !level)
    return { title: current.title, text: say`${current.title}.` };
  return {
    title: current.title,
    text: readText(level, translation.levels[table + 1], translation),
  };
}

function before({ address, page_shift }: TranslationView): Moment {
  return {
    title: "The address is virtual",
    text: say`A program sees ${term("virtual addresses", "virtual-address")}. To find ${address} in memory, the processor first asks its ${term("TLBs", "tlb")}, which keep recent translations of ${term("pages", "page")} of ${pageSize(page_shift)}. They have none for this page, so it has to walk the ${term("page table", "page-table")}.`,
  };
}

function readText(
  level: LevelView,
  next: LevelView | undefined,
  { page_size }: TranslationView,
): Part[] {
  const { table_name, index, order, shift, n_entries, served_by } = level;
  const high = shift + Math.log2(n_entries) - 1;
  const start =
    order === 1
      ? say`A register of the processor holds the address of the first table, the ${table_name}. `
      : [];
  const to = next
    ? `the next table, the ${next.table_name}`
    : `the ${page_size} page`;
  const cost =
    served_by == null
      ? ""
      : ` The read took ${cycles(level.cycles ?? 0)}, from ${served_by}.`;
  return say`${start}Bits ${String(high)} to ${String(shift)} of the address are ${String(index)}: the walk reads entry ${String(index)} of the ${table_name}. The ${term("entry", "pte")} leads to ${to}.${cost}`;
}

function found(translation: TranslationView, machine: MachineView): Moment {
  const { frame, refs, cycles: cost, outcome, tlb, page_shift } = translation;
  const { physical } = pageEnd(translation);
  const [asked] = tlb;
  const kept = asked ? structureName(machine, asked.structure) : "TLB";
  const level2 = machine.structures.findIndex(({ role }) => role === "l2");
  const second = structureName(machine, Math.max(level2, 0));
  const touch =
    outcome === "fault"
      ? say` It was the ${term("first touch", "first-touch")} of this page: the operating system mapped it just before.`
      : [];
  return {
    title: `Found: ${cycles(cost.total)}`,
    text: say`The page is in ${term("frame", "frame")} ${frame}. With the last ${String(page_shift)} bits, the ${term("offset", "offset")}, its ${term("physical address", "physical-address")} is ${physical}. The translation took ${cycles(cost.total)}: ${count(cost.l2_miss)} for the miss in the ${second}, ${count(cost.walk_overhead)} to start the walk, ${count(cost.references)} to read ${counted(refs, "entry", "entries")}.${touch} The ${kept} keeps the translation for the next access to this page.`,
  };
}

/** The access after the walk, which needs none. */
export function nextMoment(
  step: StepView,
  machine: MachineView,
  walked: Cycles,
): Moment | undefined {
  const [translation] = step.translations;
  if (!translation) return undefined;
  const { total } = translation.cycles;
  const hit = translation.tlb.find((lookup) => lookup.hit);
  if (!hit)
    return {
      title: cycles(total),
      text: say`This access needed a walk, too.`,
    };
  const name = structureName(machine, hit.structure);
  return {
    title: `A hit: ${cycles(total)}`,
    text: say`This access is to the same page. The ${name} holds its translation, so there is no walk: a ${term("hit", "hit")}. ${cycles(walked)} became ${cycles(total)}: the first TLB is looked up while the data cache is read, so its hits are free. How often that works is what Pagewalk counts, for your program and for the processor that you choose.`,
  };
}

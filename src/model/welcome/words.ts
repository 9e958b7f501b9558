/** What the first screen says about each step of the walk that a newcomer watches. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import type { Part } from "../replay/parts";
import { pageSize } from "../shared/format";
import type { Cycles } from "../shared/units";
import type { Welcome } from "../../texts/en/welcome";
import { paragraph } from "../texts/messages";
import type { Say } from "../texts/messages";
import { structureName } from "../tlb/names";
import { nativeSteps } from "../walk/steps";
import type { NativeStep } from "../walk/steps";
import { pageEnd } from "../walk/tables";

/** Writes a message of the first screen. */
export type SayWelcome = Say<keyof Welcome>;

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
export function accessText(
  { access, index }: StepView,
  say: SayWelcome,
): string {
  const { kind, size, address } = access;
  return say("access", { index, kind, size, address });
}

/** `at` is the number of the step; −1 is before the first one. */
export function momentOf(
  step: StepView,
  machine: MachineView,
  at: number,
  say: SayWelcome,
): Moment | undefined {
  const [translation] = step.translations;
  if (!translation) return undefined;
  if (at < 0) return before(translation, say);
  const current = watchedSteps(step, machine)[at];
  if (!current) return undefined;
  const [table = -1] = current.tables;
  const level = translation.levels[table];
  if (current.kind === "page") return found(translation, machine, say);
  if (current.kind !== "read" || !level)
    return { title: current.title, text: paragraph(`${current.title}.`) };
  return read(level, translation.levels[table + 1], translation, say);
}

function before(
  { address, page_shift }: TranslationView,
  say: SayWelcome,
): Moment {
  return {
    title: say("beforeTitle"),
    text: paragraph(
      say("before1"),
      say("before2", { address, size: pageSize(page_shift) }),
      say("before3"),
    ),
  };
}

function read(
  level: LevelView,
  next: LevelView | undefined,
  { page_size }: TranslationView,
  say: SayWelcome,
): Moment {
  const { table_name: table, index, order, shift, n_entries } = level;
  const { served_by: source, cycles } = level;
  const high = shift + Math.log2(n_entries) - 1;
  return {
    title: say("readTitle", { table, index }),
    text: paragraph(
      ...(order === 1 ? [say("readRoot", { table })] : []),
      say("read", { high, low: shift, index, table }),
      next
        ? say("readNext", { next: next.table_name })
        : say("readLast", { size: page_size }),
      ...(source == null
        ? []
        : [say("readCost", { cycles: cycles ?? 0, source })]),
    ),
  };
}

function found(
  translation: TranslationView,
  machine: MachineView,
  say: SayWelcome,
): Moment {
  const { frame, refs, cycles: cost, outcome, tlb, page_shift } = translation;
  const { physical } = pageEnd(translation);
  const [asked] = tlb;
  const array = asked ? structureName(machine, asked.structure) : "TLB";
  const level2 = machine.structures.findIndex(({ role }) => role === "l2");
  const second = structureName(machine, Math.max(level2, 0));
  const cycles = cost.total;
  return {
    title: say("foundTitle", { cycles }),
    text: paragraph(
      say("found1", { frame }),
      say("found2", { bits: page_shift, physical }),
      say("found3", {
        cycles,
        miss: cost.l2_miss,
        second,
        start: cost.walk_overhead,
        reads: cost.references,
        refs,
      }),
      ...(outcome === "fault" ? [say("foundTouch")] : []),
      say("foundKept", { array }),
    ),
  };
}

/** The access after the walk, which needs none. */
export function nextMoment(
  step: StepView,
  machine: MachineView,
  walked: Cycles,
  say: SayWelcome,
): Moment | undefined {
  const [translation] = step.translations;
  if (!translation) return undefined;
  const cycles = translation.cycles.total;
  const hit = translation.tlb.find((lookup) => lookup.hit);
  if (!hit)
    return {
      title: say("walkTitle", { cycles }),
      text: paragraph(say("walk")),
    };
  const array = structureName(machine, hit.structure);
  return {
    title: say("hitTitle", { cycles }),
    text: paragraph(
      say("hit1"),
      say("hit2", { array }),
      say("hit3", { walked, cycles }),
      say("hit4"),
    ),
  };
}

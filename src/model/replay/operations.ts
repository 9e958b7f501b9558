/** Operations between accesses, and the entries that they invalidated, in words and as slots of arrays. */
import type { LeftView } from "../../engine/generated/LeftView";
import type { Leaving } from "../../engine/generated/Leaving";
import type { MachineView } from "../../engine/generated/MachineView";
import type { Op } from "../../engine/generated/Op";
import type { OpView } from "../../engine/generated/OpView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { listOf } from "./bits";
import { counted, memorySize } from "../shared/format";
import { structureName } from "../tlb/names";
import { processText } from "../import/traceText";
import { wordsOf } from "../words/words";
import type { Words } from "../words/vocabulary";

/** An operation in words: `munmap of 8.0 KiB at 0x1000`, `switch to process 7`. */
export function opTitle(
  { op, pid, is_switch }: OpView,
  machine: Format = { tables: "x86" },
): string {
  return is_switch
    ? `switch to process ${processText(pid)}`
    : titleOf(op, pid, wordsOf(machine));
}

/** An operation of a file, before a machine is known. */
export function recordedOp(op: Op, pid: number): string {
  return titleOf(op, pid, wordsOf({ tables: "x86" }));
}

/** The format of the machine's tables, which decides the words. */
type Format = Pick<MachineView, "tables">;

function titleOf(op: Op, pid: OpView["pid"], words: Words): string {
  switch (op.op) {
    case "mov-cr3":
      return `${words.setRoot}${op.pcid === null ? "" : `, ${words.space} ${op.pcid}`}${op.keep ? ", nothing invalidated" : ""}`;
    case "invlpg":
      return `${words.page} ${op.address}`;
    case "invpcid":
      return `${words.ofSpace[op.scope]}${op.scope === "address" ? ` ${op.address}` : ""}${op.pcid === null ? "" : `, ${words.space} ${op.pcid}`}`;
    case "set-control":
      return `${words.control(op.bit)} ${op.on ? "on" : "off"}`;
    case "wrpkru":
      return `${words.setKeys} 0x${op.value.toString(16)}`;
    case "mprotect":
      return `mprotect ${rangeText(op)} to ${rights(op)}${unflushed(op)}`;
    case "munmap":
      return `munmap ${rangeText(op)}${unflushed(op)}`;
    case "madvise":
      return `madvise ${op.advice} ${rangeText(op)}${unflushed(op)}`;
    case "fork":
      return `process ${processText(pid)} forks process ${op.child}${unflushed(op)}`;
    case "set-entry":
      return `write to the level-${op.level} entry of ${op.address}`;
    case "invept":
      return `${words.ofHost[op.scope]}${op.eptp === null ? "" : `, ${words.hostRoot} ${op.eptp}`}`;
    case "invvpid":
      return `${words.ofVm[op.scope]}${op.scope === "address" ? ` ${op.address}` : ""}${op.vpid === null ? "" : `, ${words.vm} ${op.vpid}`}`;
    case "vm-switch":
      return `switch to virtual machine ${op.vm}${op.vpid === null ? "" : `, ${words.vm} ${op.vpid}`}`;
    case "host-unmap":
      return `host unmaps ${partText(op)}${unflushed(op)}`;
    case "host-protect":
      return `host protects ${partText(op)} to ${rights(op)}${unflushed(op)}`;
    case "host-set-entry":
      return `host writes its level-${op.level} entry of ${partText(op)}`;
  }
}

function rangeText({ start, length }: { start: string; length: string }) {
  return `of ${memorySize(Number(length))} at ${start}`;
}

function unflushed({ flush }: { readonly flush: boolean }): string {
  return flush ? "" : ", no TLB flush";
}

/** A part of the guest's memory: `the guest's level-1 table for 0x1000`. */
function partText({ part, address }: { part: number; address: string }) {
  return part === 0
    ? `the page of ${address}`
    : `the guest's level-${part} table for ${address}`;
}

function rights(op: Extract<Op, { op: "mprotect" | "host-protect" }>): string {
  const allowed = [
    op.read ? "read" : "",
    op.write ? "write" : "",
    op.execute ? "execute" : "",
  ].filter((word) => word !== "");
  return allowed.length === 0 ? "no access" : listOf(allowed);
}

/** What an operation invalidated: `3 entries: 2 of L1 dTLB 4K, 1 of STLB`, or nothing. */
export function droppedText(
  { dropped }: Pick<OpView, "dropped">,
  machine: MachineView,
): string {
  const total = dropped.reduce((sum, n) => sum + n, 0);
  if (total === 0) return "nothing invalidated";
  const parts = dropped.flatMap((n, at) =>
    n === 0 ? [] : [`${n} of ${structureName(machine, at)}`],
  );
  return `${counted(total, "entry", "entries")} invalidated: ${parts.join(", ")}`;
}

const LEAVING: Readonly<Record<Leaving, string>> = {
  "back-invalidated": "its level-2 entry was evicted (inclusive levels)",
  coalesced: "it was merged into an entry for several pages",
  "moved-up": "it moved to the first level (exclusive levels)",
  "shot-down": "its mapping changed: shootdown",
  used: "an access used it",
  faulted: "an access to its page faulted",
  exited: "VM exit without tags: the entry’s owner is unknown",
};

/** Why an entry was removed without a fill in its place. */
export function leavingText(why: Leaving): string {
  return LEAVING[why];
}

/** Sentence: `0x4d0c left STLB set 12 way 3: …`. */
export function leftText(
  { structure, set, way, entry, why }: LeftView,
  machine: MachineView,
): string {
  return `${entry.key} left ${structureName(machine, structure)} ${placeText(machine, structure, set, way)}: ${leavingText(why)}`;
}

function placeText(
  machine: MachineView,
  structure: number,
  set: number,
  way: number,
): string {
  const sets = machine.structures[structure]?.sets ?? 1;
  return sets > 1 ? `set ${set} way ${way}` : `way ${way}`;
}

/** A slot of an array whose entry was removed, and why. */
export interface RemovedEntry {
  readonly set: number;
  readonly way: number;
  readonly key: string;
  readonly keyShift: number;
  readonly why: string;
  /** Removed by an operation around the access. */
  readonly isOperation: boolean;
}

/**
 * Slots of a structure whose entries were removed by operations before this access, or during the
 * translation.
 */
export function removedFrom(
  step: Pick<StepView, "before" | "after">,
  translation: Pick<TranslationView, "left">,
  structure: number,
  machine?: Format,
): RemovedEntry[] {
  const byOps = [...step.before, ...step.after].flatMap((op) =>
    op.entries
      .filter((dropped) => dropped.structure === structure)
      .map(({ set, way, entry }) => ({
        set,
        way,
        key: entry.key,
        keyShift: entry.key_shift,
        why: `by ${opTitle(op, machine)}`,
        isOperation: true,
      })),
  );
  const byItself = translation.left
    .filter((left) => left.structure === structure)
    .map(({ set, way, entry, why }) => ({
      set,
      way,
      key: entry.key,
      keyShift: entry.key_shift,
      why: leavingText(why),
      isOperation: false,
    }));
  return [...byOps, ...byItself];
}

/**
 * Sentence: `INVLPG 0x1000 (2 entries invalidated: 1 of STLB, …) and switch to process 7 (nothing
 * invalidated)`.
 */
export function opsText(ops: readonly OpView[], machine: MachineView): string {
  return listOf(
    ops.map((op) => `${opTitle(op, machine)} (${droppedText(op, machine)})`),
  );
}

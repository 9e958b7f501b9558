/**
 * The virtual address as a row of bit fields, one per table and one for the offset, with brackets for the
 * bits that form a key. Positions are bit numbers; the view maps them to the screen.
 */
import type { Hex } from "../../engine/generated/Hex";
import type { LevelView } from "../../engine/generated/LevelView";
import type { LookupView } from "../../engine/generated/LookupView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { Outcome } from "../../engine/generated/Outcome";
import type { ReadState } from "../../engine/generated/ReadState";
import type { StructureView } from "../../engine/generated/StructureView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { counted } from "../shared/format";
import { binary, hex } from "../shared/hex";
import { filledPlaces } from "./filled";
import type { PictureObject } from "./parts";
import { pscName, structureName } from "../tlb/names";
import { indexBits, setBits, setOf, setRule } from "../tlb/set";

/** One group of address bits; `high` and `low` are inclusive. */
export interface BitField {
  readonly name: string;
  /** The level of the table that the field indexes; `null` for the offset. */
  readonly level: number | null;
  readonly high: number;
  readonly low: number;
  /** The bits, highest first. */
  readonly bits: string;
  /** Decimal for an index, hex for the offset. */
  readonly value: string;
  /** The field in textbook words, with its value in hex. */
  readonly tip: string;
  /** What happened to the table that the field indexes; the offset is copied. */
  readonly state: ReadState | "copied";
}

/** Adjacent bits that a structure used together. */
export interface Bracket {
  readonly high: number;
  readonly low: number;
  /** Texts from long to short: the view takes the first that fits. */
  readonly labels: readonly string[];
  /** The result, at the right end; also from long to short, possibly none. */
  readonly notes: readonly string[];
  readonly tone: "plain" | Outcome;
  /** Whether these are the bits of the offset, which are no key. */
  readonly kept?: boolean;
  /** The object of the pictures that has the key. */
  readonly object?: PictureObject;
  /** The bracket in textbook words. */
  readonly tip?: string;
  /** Bits inside the bracket that select the set. */
  readonly marks: readonly {
    readonly high: number;
    readonly low: number;
  }[];
}

/** The offset of an address inside its page, as hex text with as many digits as the page size needs. */
export function offsetText(address: Hex, pageShift: number): string {
  const offset = BigInt(address) & ((1n << BigInt(pageShift)) - 1n);
  return `0x${offset.toString(16).padStart(Math.ceil(pageShift / 4), "0")}`;
}

/** Whether the walk found an entry that maps a page. */
function isComplete({ levels }: TranslationView): boolean {
  return levels.at(-1)?.leaf !== false;
}

/** Whether the machine has one table: its index is the whole virtual page number, as in textbooks. */
export function hasOneTable({ levels: [first, ...rest] }: TranslationView) {
  return first?.level === 1 && !rest[0] && !first.hashed;
}

/**
 * The fields of the address, the root's index first, the offset last. While a question waits, they have no values:
 * `isAsking`.
 */
export function bitFields(
  translation: TranslationView,
  isAsking = false,
): BitField[] {
  const address = BigInt(translation.address);
  const isWhole = hasOneTable(translation);
  const fields = translation.levels.map(
    ({ table_name, level, index, bits, shift, state }): BitField => ({
      name: isWhole ? "VPN" : table_name,
      tip: isWhole
        ? `virtual page number (VPN): the index of the ${table_name}`
        : `${table_name} index${isAsking ? "" : ` ${index} = ${hex(BigInt(index))}`}: a part of the virtual page number (VPN)`,
      level,
      high: shift + bits - 1,
      low: shift,
      bits: binary(address >> BigInt(shift), bits),
      value: isAsking
        ? ""
        : isWhole
          ? `${index} = ${hex(BigInt(index))}`
          : String(index),
      state,
    }),
  );
  const shift = translation.page_shift;
  fields.push({
    name: isComplete(translation)
      ? isWhole
        ? "VPO"
        : "offset"
      : "not reached",
    tip: isComplete(translation)
      ? "virtual page offset (VPO): it is the physical page offset (PPO), too"
      : "the walk ended before its tables",
    level: null,
    high: shift - 1,
    low: 0,
    bits: binary(address, shift),
    value: isAsking ? "" : offsetText(translation.address, shift),
    state: "copied",
  });
  return fields;
}

/** The objects of a field: the offset, or the page number and an index in it. */
export function fieldObjects({ level }: BitField): readonly PictureObject[] {
  return level === null ? ["offset"] : ["page-number", `index-${level}`];
}

/** Names in a list: `PT`, `PD and PT`, `PDPT, PD and PT`. */
export function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2
    ? last
    : `${names.slice(0, -1).join(", ")} and ${last}`;
}

function readBracket(read: readonly LevelView[]): Bracket[] {
  const first = read[0];
  const last = read.at(-1);
  if (!first || !last) return [];
  const tables = listOf(read.map((level) => level.table_name));
  return [
    {
      high: first.shift + first.bits - 1,
      low: last.shift,
      labels: [`read from ${tables}`, "read"],
      notes: [],
      tone: "walk",
      marks: [],
    },
  ];
}

/** The array that was looked up first, if it is a first level. */
function firstArray(
  { tlb }: TranslationView,
  machine: MachineView,
): StructureView | undefined {
  const lookup = tlb.find(({ hit }) => hit) ?? tlb[0];
  const array = machine.structures[lookup?.structure ?? 0];
  return array?.role === "l1" ? array : undefined;
}

/**
 * The TLB’s key as textbooks split it: the tag (TLBT) and the index (TLBI). Nothing if another
 * function than the low bits of the page number selects the set.
 */
function keyParts(
  translation: TranslationView,
  machine: MachineView,
  array: StructureView | undefined,
): Bracket[] {
  const { tlb, page_shift, outcome } = translation;
  const lookup = tlb.find(({ hit }) => hit) ?? tlb[0];
  if (array?.index !== "low-bits") return [];
  const bits = indexBits(array);
  const page = pageNumber(translation);
  const first = page_shift + bits;
  const isHit = lookup?.hit === true;
  const tag = `TLBT ${hex(page >> BigInt(bits))}`;
  // Before its lookup, the key has no values.
  const from = tlb.length === 0 ? 1 : 0;
  const tone = isHit ? outcome : "plain";
  const high = machine.va_bits - 1;
  const tagBracket: Bracket = {
    high,
    low: first,
    labels: [tag, "TLBT"].slice(from),
    notes: [],
    tone,
    object: "tag",
    tip: "tag of the TLB (TLBT): a way of the set hits if its tag is equal",
    marks: [],
  };
  if (bits === 0) return [tagBracket];
  const set = setOf(array, page);
  return [
    tagBracket,
    {
      high: first - 1,
      low: page_shift,
      labels: [`TLBI ${hex(BigInt(set))}`, "TLBI"].slice(from),
      notes: [],
      tone,
      object: "set-bits",
      tip: `index of the TLB (TLBI): it chooses ${from === 0 ? `set ${set}` : "the set"}`,
      marks: setBits(array, page_shift, high),
    },
  ];
}

/** A TLB’s key in textbook words: `page number (VPN) 0xf: index (TLBI) 0x3, tag (TLBT) 0x3`. */
function keyTip(
  { key, set }: LookupView,
  { sets, index }: StructureView,
): string {
  const page = BigInt(key);
  const bits = BigInt(indexBits({ sets }));
  const named = `page number (VPN) ${key}`;
  if (bits === 0n) return `${named}: all of it is the tag (TLBT)`;
  const low = index === "low-bits" ? `, tag (TLBT) ${hex(page >> bits)}` : "";
  return `${named}: index (TLBI) ${hex(BigInt(set))}${low}`;
}

/** The virtual page number. With one table, it is the index, also in the walk of a page fault. */
function pageNumber(translation: TranslationView): bigint {
  const { levels, page_number } = translation;
  return BigInt(
    hasOneTable(translation) ? (levels[0]?.index ?? 0) : page_number,
  );
}

/**
 * The keys in the address: the structure that hit, the tables that were read, and the copied offset. With `keyOf`,
 * the tag and the index of that array.
 */
export function brackets(
  translation: TranslationView,
  machine: MachineView,
  keyOf?: number,
): Bracket[] {
  const top = machine.va_bits - 1;
  const copied = (below: number): Bracket => ({
    high: below - 1,
    low: 0,
    labels: ["offset is kept", "kept"],
    tip: "translation keeps the offset: VPO = PPO",
    notes: [],
    tone: "plain",
    kept: true,
    marks: [],
  });

  if (keyOf !== undefined || hasOneTable(translation)) {
    const array =
      keyOf === undefined
        ? firstArray(translation, machine)
        : machine.structures[keyOf];
    const parts = keyParts(translation, machine, array);
    if (parts.length > 0) return [...parts, copied(translation.page_shift)];
  }

  const tlb = translation.tlb.find((lookup) => lookup.hit);
  const array = tlb && machine.structures[tlb.structure];
  if (tlb && array) {
    const bits = machine.va_bits - tlb.key_shift;
    const rule = setRule(array);
    const set = rule ? `hit, set ${tlb.set}` : "hit, any way";
    const name = structureName(machine, tlb.structure);
    return [
      {
        high: top,
        low: tlb.key_shift,
        labels: [
          `${name} key, ${counted(bits, "bit")}`,
          `key, ${counted(bits, "bit")}`,
        ],
        notes: rule ? [`${set} = ${rule}`, set] : [set],
        tone: translation.outcome,
        tip: keyTip(tlb, array),
        marks: setBits(array, tlb.key_shift, top),
      },
      copied(tlb.key_shift),
    ];
  }

  const found: Bracket[] = [];
  const psc = translation.psc.find((lookup) => lookup.hit);
  if (psc) {
    const skipped = translation.levels.filter(
      (level) => level.state === "skipped-by-psc",
    ).length;
    const name = pscName(machine, psc, translation.levels);
    const bits = machine.va_bits - psc.key_shift;
    found.push({
      high: top,
      low: psc.key_shift,
      labels: [`${name} key, ${counted(bits, "bit")}`, `${name} key`, ""],
      notes: [`hit, skips ${skipped}`],
      tone: "plain",
      object: "cache",
      marks: [],
    });
  }
  found.push(
    ...readBracket(
      translation.levels.filter((level) => level.state === "read"),
    ),
    ...(isComplete(translation) ? [copied(translation.page_shift)] : []),
  );
  return found;
}

/** Address bits that select a set, to be lit with it. */
export interface SetBits {
  readonly object: PictureObject;
  readonly bits: readonly { readonly high: number; readonly low: number }[];
}

/** The bits that select the sets of the arrays that hit or were filled. */
export function setsOf(
  translation: TranslationView,
  machine: MachineView,
): SetBits[] {
  const hit = translation.tlb.filter((lookup) => lookup.hit);
  const filled = filledPlaces(translation, machine);
  return [...hit, ...filled].flatMap(({ structure }) => {
    const array = machine.structures[structure];
    const key = translation.page_shift;
    if (!array || array.sets === 1) return [];
    return {
      object: array.role === "l2" ? "set-l2" : "set-l1",
      bits: setBits(array, key, machine.va_bits - 1),
    };
  });
}

/** Each bit of an entry in plain words: what it means, what it is now, and what changed it. */
import { hex } from "../shared/hex";
import { fieldBefore } from "./entry";
import type { EntryChange, EntryField } from "./entry";

/** What a bit says if it is 0 and if it is 1. */
type Pair = readonly [zero: string, one: string];

const NO_FETCH: Pair = [
  "instructions may be fetched",
  "instructions may not be fetched",
];
const USED: Pair = ["no walk has used the entry yet", "a walk has used it"];

/** By the core's name of the bit: x86, EPT, then Arm. Others say only their value. */
const WORDS: Readonly<Record<string, Pair>> = {
  P: ["nothing is mapped here", "the entry is in use"],
  W: ["stores are not allowed", "stores are allowed"],
  U: ["only the system may use it", "programs may use it"],
  PWT: ["caches may delay writes", "caches write through"],
  PCD: ["memory is cached", "memory is not cached"],
  A: USED,
  D: ["the page was not written yet", "the page was written"],
  PS: ["it leads to a table", "it maps a page"],
  PAT: ["the usual memory types", "the second half of the memory types"],
  G: ["it belongs to one address space", "it is valid in all address spaces"],
  XD: NO_FETCH,
  cont: ["the entry stands alone", "its neighbours map one page with it"],
  R: ["loads are not allowed", "loads are allowed"],
  X: ["instructions may not be fetched", "instructions may be fetched"],
  IPAT: ["the guest may change the memory type", "the host’s type counts"],
  SVE: ["the guest may handle a violation", "a violation exits to the host"],
  V: ["nothing is mapped here", "the descriptor is in use"],
  AF: USED,
  AP1: ["only the system may use it", "programs may use it"],
  AP2: [
    "stores are allowed, and the page was written",
    "stores are not allowed, or the page is clean",
  ],
  DBM: ["hardware does not mark writes", "the first write makes it dirty"],
  nG: ["it is valid in all address spaces", "it belongs to one address space"],
  UXN: NO_FETCH,
  PXN: NO_FETCH,
  NS: ["secure memory", "non-secure memory"],
};

export interface BitWords {
  /** `D, bit 6`, `avl, bits 58:52`. */
  readonly title: string;
  readonly meaning: string;
  /** `Now 1: the page was written.` */
  readonly now: string;
  /** `This access changed it from 0.`; empty if nothing did. */
  readonly changed: string;
}

export function bitWords(
  field: EntryField,
  change: EntryChange | null = null,
): BitWords {
  const { name, high, low } = field;
  const bits = high === low ? `bit ${low}` : `bits ${high}:${low}`;
  // A name such as `62:59` or `frame 51:12` has the bits already.
  const short = name.replace(/ ?\d+(:\d+)?$/, "");
  const before = fieldBefore(field, change?.was);
  return {
    title: short === "" || short === "–" ? bits : `${short}, ${bits}`,
    meaning: field.meaning,
    now: `Now ${field.value}${nowWords(field)}.`,
    changed:
      change && before !== null
        ? `${change.who === "software" ? "Software" : "This access"} changed it from ${before}.`
        : "",
  };
}

function nowWords(field: EntryField): string {
  const { name, high, low, value, isSet, address, violated } = field;
  if (violated) return ": it must be 0, so the walk ends with an exception";
  if (address) return `: it starts at ${hex(BigInt(value) << BigInt(low))}`;
  if (high !== low) return "";
  const words = WORDS[name];
  return words ? `: ${words[isSet ? 1 : 0]}` : "";
}

/** Everything about a bit in one text, for screen readers. */
export function bitText(words: BitWords): string {
  const { title, meaning, now, changed } = words;
  return `${title}: ${meaning}. ${now}${changed === "" ? "" : ` ${changed}`}`;
}

/** Answers that the picture gives: a press on one of its objects, and where an answer stands in it. */
import type { Posed } from "../../engine/generated/Posed";
import type { StructureView } from "../../engine/generated/StructureView";
import { indexBits, setOf } from "../tlb/set";
import { hex } from "../shared/hex";
import type { ArrayColumns, ArrayEntry } from "../tlb/array";
import { entryAt } from "../tlb/array";
import type { Picture } from "./picture";

/** What a question asks for in an array. */
export type ArrayAsk = "set" | "way" | "victim";

/** An array that a question is about. */
export interface AskedArray {
  readonly what: ArrayAsk;
  readonly structure: number;
  readonly view: StructureView;
  readonly content: ArrayColumns;
  /** The set of the page; `null` if the question asks for it. */
  readonly set: number | null;
}

/** A set, or one way of it. */
export interface Spot {
  readonly set: number;
  readonly way: number | null;
}

/** The array whose sets or entries answer a question; `undefined` if the answer is no object of an array. */
export function askedArray(
  posed: Posed,
  { machine, columns, done }: Picture,
): AskedArray | undefined {
  const { ask } = posed;
  if (ask.kind !== "set" && ask.kind !== "way" && ask.kind !== "victim")
    return undefined;
  const structure = machine.structures.findIndex(({ name }) => name === ask.of);
  const view = machine.structures[structure];
  const content = columns[structure];
  const page = done.translations[0]?.page_number;
  if (!view || !content) return undefined;
  const set =
    ask.kind === "set" || page === undefined ? null : setOf(view, BigInt(page));
  return { what: ask.kind, structure, view, content, set };
}

/** The answer of a press on a set or on one of its ways. */
export function answerAt(
  { what, view, content }: AskedArray,
  { set, way }: Spot,
): string | undefined {
  if (what === "set") return String(set);
  if (way === null) return undefined;
  if (what === "way") return String(way);
  const entry = entryAt(content, view.ways, set, way);
  return entry ? hex(entry.key) : "none";
}

/** Where an answer stands; `null` if it names no place of the array. */
export function spotOf(asked: AskedArray, given: string): Spot | null {
  const { what, view, content } = asked;
  const number = numberIn(given, what === "victim" ? 16 : 10);
  if (number === null) return null;
  if (what === "victim") {
    const found = entriesOf(view, content).find(
      ({ key, table }) => key === number && !table,
    );
    return found ? { set: found.set, way: found.way } : null;
  }
  const at = Number(number);
  if (what === "set") return at < view.sets ? { set: at, way: null } : null;
  const { set } = asked;
  return set !== null && at < view.ways ? { set, way: at } : null;
}

function entriesOf(
  { sets, ways }: StructureView,
  content: ArrayColumns,
): readonly ArrayEntry[] {
  return Array.from({ length: sets * ways }, (_, slot) =>
    entryAt(content, ways, Math.floor(slot / ways), slot % ways),
  ).filter((entry) => entry !== null);
}

/** The whole number that a text is; `0x` makes it hexadecimal. */
function numberIn(text: string, base: 10 | 16 = 10): bigint | null {
  const plain = text.replaceAll(/[\s,_]/g, "").toLowerCase();
  if (/^\d{1,20}$/.test(plain) && base === 10) return BigInt(plain);
  const digits = plain.replace(/^0x/, "");
  const isHex = base === 16 || digits !== plain;
  return isHex && /^[0-9a-f]{1,16}$/.test(digits)
    ? BigInt(`0x${digits}`)
    : null;
}

/** The part of an address that a press names; `objects` are those of the pressed element. */
export function answerInAddress(
  { ask, form, choices }: Posed,
  { machine, done, structure }: Picture,
  objects: readonly string[],
): string | undefined {
  // Without choices, the reader has to read the bits.
  if (ask.kind !== "field" || form !== "choice") return undefined;
  const translation = done.translations[0];
  if (!translation) return undefined;
  const { page_shift, levels } = translation;
  const address = BigInt(translation.address);
  const page = address >> BigInt(page_shift);
  const array =
    structure === undefined ? undefined : machine.structures[structure];
  const asksIndex = ask.of.startsWith("index-");
  const values = objects.flatMap((object): [string, bigint][] => {
    const level = levels.find((each) => object === `index-${each.level}`);
    if (level) return [[object, BigInt(level.index)]];
    if (object === "page-number") return asksIndex ? [] : [[object, page]];
    if (object === "offset")
      return [[object, address - (page << BigInt(page_shift))]];
    if (!array) return [];
    if (object === "set-bits") return [[object, BigInt(setOf(array, page))]];
    if (object === "tag") return [[object, page >> BigInt(indexBits(array))]];
    return [];
  });
  // An index is a part of the page number: the question says which of the two is meant.
  const [, value] = values.find(
    ([object]) => object.startsWith("index-") === asksIndex,
  ) ??
    values[0] ?? ["", null];
  return choices.find((choice) => value !== null && numberIn(choice) === value);
}

/** What a reader may press to answer a question. */
export type Pressable = ArrayAsk | "field";

/** `undefined` if the picture does not show the object. */
export function pressable(
  posed: Posed,
  picture: Picture,
  show: readonly string[],
): Pressable | undefined {
  const { ask, form } = posed;
  if (ask.kind === "field")
    return form === "choice" && show.includes("address") ? "field" : undefined;
  if (!show.includes("tlb")) return undefined;
  const asked = askedArray(posed, picture);
  const isShown = (picture.structure ?? asked?.structure) === asked?.structure;
  return isShown ? asked?.what : undefined;
}

/** Given state as rows of text: what a textbook prints, and what a user types or pastes. */
import type { Given } from "../../engine/generated/Given";
import type { GivenEntry } from "../../engine/generated/GivenEntry";
import type { GivenPage } from "../../engine/generated/GivenPage";
import type { OsConfig } from "../../engine/generated/OsConfig";

/** A column of one of the tables. An empty text leaves the field out. */
export interface Column<Key extends string> {
  readonly key: Key;
  readonly label: string;
  readonly help: string;
}

export type PageKey = "page" | "frame" | "rights";
export type EntryKey = "array" | "set" | "tag" | "page" | "frame";

export const PAGE_COLUMNS: readonly Column<PageKey>[] = [
  { key: "page", label: "VPN", help: "The number of the page, hexadecimal." },
  {
    key: "frame",
    label: "PPN",
    help: "The number of the frame, hexadecimal. Empty: the system chooses a free frame.",
  },
  {
    key: "rights",
    label: "rights",
    help: "r, rw, rx or rwx. Empty: rwx.",
  },
];

export const ENTRY_COLUMNS: readonly Column<EntryKey>[] = [
  {
    key: "array",
    label: "array",
    help: "The array of the TLB. Empty: the first one.",
  },
  { key: "set", label: "set", help: "TLBI, the set, hexadecimal." },
  { key: "tag", label: "tag", help: "TLBT, the tag, hexadecimal." },
  {
    key: "page",
    label: "VPN",
    help: "The number of the page, hexadecimal, instead of set and tag.",
  },
  {
    key: "frame",
    label: "PPN",
    help: "The number of the frame, hexadecimal. Empty: that of the page table.",
  },
];

/** The row with another text in a column; a number gets its usual form. The core rejects other texts. */
export function withCell<Row extends GivenPage | GivenEntry>(
  row: Row,
  key: string,
  text: string,
): Row {
  const next = { ...row };
  Reflect.deleteProperty(next, key);
  if (text === "") return next;
  const isWord = key === "array" || key === "rights";
  return { ...next, [key]: isWord ? text : (hexOf(text) ?? text) };
}

/** The text of a column without its 0x, as books print it. */
export function cellOf(row: GivenPage | GivenEntry, key: string): string {
  const value = (row as Readonly<Record<string, unknown>>)[key];
  if (typeof value !== "string") return "";
  return key === "array" || key === "rights"
    ? value
    : value.replace(/^0x/, "").toUpperCase();
}

export function withValid<Row extends GivenPage | GivenEntry>(
  row: Row,
  isValid: boolean,
): Row {
  const next = { ...row };
  Reflect.deleteProperty(next, "valid");
  return isValid ? next : { ...next, valid: false };
}

/** The mapping with another given state; `undefined` removes it. */
export function withGiven(os: OsConfig, given: Given | undefined): OsConfig {
  const next: OsConfig = { ...os };
  delete next.given;
  return given === undefined ? next : { ...next, given };
}

/** Rows that were read from a text, or the reason why they were not. */
export type ReadRows<Row> =
  | { readonly rows: readonly Row[] }
  | { readonly line: number; readonly message: string };

/**
 * Reads rows of a page table: `VPN PPN valid`, several of them on a line as in a book. The last column may be
 * left out.
 */
export function readPages(text: string): ReadRows<GivenPage> {
  return readLines(text, (cells) => {
    const width = cells.length === 2 ? 2 : 3;
    if (cells.length % width !== 0)
      return `has ${cells.length} columns: write VPN PPN valid, or VPN PPN`;
    return groups(cells, width).map(([page = "", frame = "", valid]) =>
      rowOf({ page }, frame, valid),
    );
  });
}

/**
 * Reads the contents of a TLB: `set tag PPN valid`, with one group of tag, PPN and valid for each way, or
 * `VPN PPN` for one entry.
 */
export function readEntries(text: string): ReadRows<GivenEntry> {
  return readLines<GivenEntry>(text, (cells) => {
    if (cells.length === 2) {
      const [page = "", frame = ""] = cells;
      return [rowOf({ page }, frame)];
    }
    const [set = "", ...ways] = cells;
    if (ways.length === 0 || ways.length % 3 !== 0)
      return `has ${cells.length} columns: write the set, then tag, PPN and valid of each way`;
    return groups(ways, 3).map(([tag = "", frame = "", valid]) =>
      rowOf({ set, tag }, frame, valid),
    );
  });
}

type Named = Readonly<Partial<Record<"page" | "set" | "tag", string>>>;

/** A row without a word about its validity is valid if it has a frame. */
function rowOf<N extends Named>(named: N, frame: string, valid?: string) {
  const numbers = Object.entries(named).map(([key, text]) => [
    key,
    hexOf(text),
  ]);
  const number = hexOf(frame);
  return {
    ...(Object.fromEntries(numbers) as { [K in keyof N]: string }),
    ...(number !== undefined && { frame: number }),
    ...(NO.test(valid ?? (number === undefined ? "0" : "1")) && {
      valid: false,
    }),
  };
}

function readLines<Row>(
  text: string,
  read: (cells: readonly string[]) => Row[] | string,
): ReadRows<Row> {
  const rows: Row[] = [];
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const cells = line.split(/[\s|,;]+/).filter((cell) => cell !== "");
    const isHead = cells.some(
      (cell) => !isNumber(cell) && !isWordOfValid(cell),
    );
    if (cells.length === 0 || (isHead && rows.length === 0)) continue;
    const wrong = cells.find((cell) => !isNumber(cell) && !isWordOfValid(cell));
    const found =
      wrong === undefined ? read(cells) : `“${wrong}” is no hexadecimal number`;
    if (typeof found === "string")
      return { line: at + 1, message: `Line ${at + 1}: ${found}.` };
    rows.push(...found);
  }
  if (rows.length === 0)
    return {
      line: 1,
      message: "There are no rows: write hexadecimal numbers.",
    };
  return { rows };
}

function groups(cells: readonly string[], width: number): string[][] {
  const starts = Array.from(
    { length: cells.length / width },
    (_, n) => n * width,
  );
  return starts.map((start) => cells.slice(start, start + width));
}

const NO = /^(0|no|n|false|[-–—])$/i;
const YES = /^(1|yes|y|true)$/i;

function isWordOfValid(text: string): boolean {
  return NO.test(text) || YES.test(text);
}

function isNumber(text: string): boolean {
  return hexOf(text) !== undefined;
}

/** A hexadecimal number of at most 64 bits as the core writes it: `0F` is `0xf`. */
function hexOf(text: string): string | undefined {
  const digits = /^(?:0x)?([\da-f]{1,16})$/i.exec(text.trim())?.[1];
  return digits === undefined
    ? undefined
    : `0x${BigInt(`0x${digits}`).toString(16)}`;
}

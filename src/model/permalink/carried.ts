/**
 * An imported trace inside a link, so that others can open it: `1.text.…` holds the text of a small file and how it
 * is read, `1.loop.…` the JavaScript program that makes the trace. The last part is compressed.
 */
import type { ImportRequest } from "../../engine/generated/ImportRequest";
import { parseJson } from "./words";

/** Longer texts are not compressed at all, since few would fit a link; and no more is unpacked. */
export const MOST_TEXT = 160_000;

const KINDS = ["text", "loop"] as const;

/** How a file is read. */
export type CarriedChoices = Omit<ImportRequest, "name" | "max_bytes">;

export type CarriedKind = (typeof KINDS)[number];

export function carriedData(kind: CarriedKind, word: string): string {
  return `1.${kind}.${word}`;
}

/** Throws an `Error` whose message is the end of a sentence. */
export function readCarried(data: string): {
  readonly kind: CarriedKind;
  readonly word: string;
} {
  const [version = "", kind, word = "", ...more] = data.split(".");
  if (/^[2-9]$/.test(version))
    throw new Error("a newer version of Pagewalk wrote the link.");
  const known = KINDS.find((each) => each === kind);
  if (version !== "1" || !known || more.length > 0) throw new Error(DAMAGED);
  return { kind: known, word };
}

const CHOICES: readonly string[] = [
  "format",
  "list",
  "select",
  "limit",
] satisfies (keyof CarriedChoices)[];

export const DAMAGED =
  "its data in the link is damaged. Was the link cut short?";

/** The text of a file below a line that says how to read it. */
export function carriedText(choices: CarriedChoices, text: string): string {
  return `${JSON.stringify(choices)}\n${text}`;
}

export function readCarriedText(unpacked: string): {
  readonly choices: CarriedChoices;
  readonly text: string;
} {
  const end = unpacked.indexOf("\n");
  const head = parseJson("data", unpacked.slice(0, Math.max(0, end)));
  if (typeof head !== "object" || head === null || Array.isArray(head))
    throw new Error(DAMAGED);
  // The core checks what the parts hold.
  const choices: CarriedChoices = Object.fromEntries(
    Object.entries(head).filter(([key]) => CHOICES.includes(key)),
  );
  return { choices, text: unpacked.slice(end + 1) };
}

/**
 * The numbers of a lesson's texts. A text names a claim: `{=refs}`, or an item of its list: `{=table.0}`. The claims
 * are tested, so a text has no number that is wrong.
 */
import { count } from "../shared/format";
import type { Json } from "../shared/mergePatch";
import { fill, mapWords } from "./text";
import type { LessonText } from "./text";

export function withClaims(
  text: LessonText,
  claims: ReadonlyMap<string, Json>,
): LessonText {
  const values = Object.fromEntries(
    [...claims].flatMap(([name, value]) => placesOf(`=${name}`, value)),
  );
  return mapWords(text, (words) => fill(words, values));
}

function placesOf(name: string, value: Json): readonly [string, string][] {
  if (!Array.isArray(value)) return [[name, textOf(value)]];
  const items = value as readonly Json[];
  const isBits = items.every((item) => item === 0 || item === 1);
  return [
    [name, items.map(textOf).join(isBits ? "" : ", ")],
    ...items.flatMap((item, at) => placesOf(`${name}.${at}`, item)),
  ];
}

function textOf(value: Json): string {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isInteger(value)
    ? count(value)
    : JSON.stringify(value);
}

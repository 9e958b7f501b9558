/** Reads the words of a link one by one. Each function throws an `Error` that says what is wrong. */
import type { RunWindow } from "../../engine/generated/RunWindow";
import type { AttributionFilter } from "../attribution/rows";
import type { Json } from "../shared/mergePatch";
import { WHO } from "../samples/state";
import type { SurveyChoice } from "../samples/state";

export function oneOf<T extends string>(
  key: string,
  words: readonly T[],
  text: string,
): T {
  const found = words.find((word) => word === text);
  if (found) return found;
  throw new Error(`“${key}” must be ${words.join(", ")}, not “${text}”.`);
}

/** File systems allow 255 bytes. */
const MOST_OF_A_NAME = 300;

export function nameOf(key: string, text: string): string {
  if (text.length <= MOST_OF_A_NAME) return text;
  throw new Error(
    `“${key}” has more than ${MOST_OF_A_NAME} characters, which no name has.`,
  );
}

/** Reads `skip,warmup,limit`; the last may be missing. */
export function parseCount(text: string): RunWindow {
  const [skip, warmup, limit, ...more] = text
    .split(",")
    .map((part) => wholeNumber("count", part));
  if (skip === undefined || warmup === undefined || more.length > 0)
    throw new Error(`“count” must be skip,warmup,limit, not “${text}”.`);
  return { skip, warmup, ...(limit !== undefined && { limit }) };
}

const FILTERS = ["address", "instruction", "line", "object", "calls"] as const;

/** The most functions of a call path, as in a trace. */
const MOST_CALLS = 256;

/** Reads `address,start,end,label`; the label may contain commas. That of a call path is a list of names, as JSON. */
export function parseOnly(text: string): AttributionFilter {
  const [by = "", start = "", end = "", ...label] = text.split(",");
  if (![start, end].every((each) => /^0x[0-9a-f]{1,16}$/.test(each)))
    throw new Error(`“only” must be address,0x…,0x…,name, not “${text}”.`);
  if (by === "calls") return { by, start, end, ...callsOf(label.join()) };
  const name = label.join(",").slice(0, 200);
  if (by === "line" && !/:[1-9]\d{0,8}$/.test(name))
    throw new Error(`“only” must end with a file and a line, not “${text}”.`);
  return {
    by: oneOf("only", FILTERS, by),
    start,
    end,
    label: name,
  };
}

function callsOf(text: string) {
  const path = parseJson("only", text);
  const isName = (name: Json) => typeof name === "string";
  if (
    !Array.isArray(path) ||
    path.length === 0 ||
    path.length > MOST_CALLS ||
    !path.every(isName)
  )
    throw new Error(`“only” must end with a list of functions, not “${text}”.`);
  return { label: path.at(-1) ?? "", path };
}

export function parseWindow(text: string) {
  const [from = "", to = ""] = text.split("-");
  return { from: wholeNumber("window", from), to: wholeNumber("window", to) };
}

/** The levels of a machine are few; code that walks a deeper value could run out of stack. */
const MOST_LEVELS = 32;

export function parseJson(key: string, text: string): Json {
  if (levelsOf(text) > MOST_LEVELS)
    throw new Error(
      `“${key}” has more than ${MOST_LEVELS} levels of brackets.`,
    );
  try {
    // `JSON.parse` returns JSON values, so the cast is safe.
    return JSON.parse(text) as Json;
  } catch {
    throw new Error(`“${key}” is not valid JSON: was the link cut short?`);
  }
}

/** The deepest nesting of brackets and braces outside of strings. */
function levelsOf(json: string): number {
  let [level, most] = [0, 0];
  for (const [mark] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{}\]]/g)) {
    if (mark === "[" || mark === "{") most = Math.max(most, ++level);
    else if (mark === "]" || mark === "}") level -= 1;
  }
  return most;
}

export function wholeNumber(key: string, text: string): number {
  const n = Number(text.replaceAll(",", ""));
  if (/^[\d,]+$/.test(text) && Number.isSafeInteger(n)) return n;
  throw new Error(`“${key}” must be a whole number, not “${text}”.`);
}

/** Escapes only what would end or change the value, so that links stay readable. */
export function escape(value: string): string {
  return encodeURIComponent(value).replace(/%(3A|2C|2F|3D|40)/g, (code) =>
    decodeURIComponent(code),
  );
}

/** Reads `user`, `user,2`: whose samples, and of which event. */
export function parseSamples(text: string): SurveyChoice {
  const [who = "", event, ...more] = text.split(",");
  if (more.length > 0)
    throw new Error(`“samples” must be who,event, not “${text}”.`);
  return {
    who: oneOf("samples", WHO, who),
    ...(event !== undefined && { event: wholeNumber("samples", event) }),
  };
}

export function writeSamples({ who, event }: SurveyChoice): string {
  return [who, ...(event === undefined ? [] : [event])].join();
}

/** A lesson as data: the machine, the trace, and what each step shows. The words of a step are in `text.ts`. */
import type { Ask } from "../../engine/generated/Ask";
import { applyPatch } from "../shared/mergePatch";
import type { Json } from "../shared/mergePatch";
import { LessonError, wholeOf } from "./error";
import { readTrace } from "./trace";
import type { LessonTrace } from "./trace";

/** The parts of a picture; each is a component of the replay. */
export const PARTS = [
  "address",
  "words",
  "walk",
  "tlb",
  "timeline",
  "totals",
  "curve",
  "loops",
] as const;

export type LessonPart = (typeof PARTS)[number];

export interface LessonStep {
  /** The access, from 0. */
  readonly at: number;
  /** Whether the access is still to come. */
  readonly before: boolean;
  /** The reference at which the walk stands; 0 is before the first one. Missing = the whole walk. */
  readonly walk?: number;
  readonly show: readonly LessonPart[];
  /** The name of the array that is shown; missing = the one that the access uses. */
  readonly array?: string;
  /** The core whose arrays are shown; missing = that of the access. */
  readonly core?: number;
  readonly ask?: {
    readonly ask: Ask;
    /** The number of choices; missing = the usual form of the question. */
    readonly choices?: number;
  };
}

export interface Lesson {
  /** The folder: `02-cut-the-address`. */
  readonly folder: string;
  readonly id: string;
  readonly minutes: number;
  /** Whether it belongs to the short course. */
  readonly short: boolean;
  readonly cpu: string;
  /** The merge patch to the machine of the CPU model. */
  readonly machine?: Json;
  /** A page size or policy, or the mapping as in a link. */
  readonly os?: Json;
  readonly cores?: "tid" | "cpu";
  readonly trace: LessonTrace;
  readonly steps: readonly LessonStep[];
  /** “Change one thing”: a link without a trace. */
  readonly change?: string;
  /** Numbers that texts name, by the name of their claim. */
  readonly claims: ReadonlyMap<string, Json>;
}

/** The fields of the file, and of a step. */
const FIELDS = {
  lesson: [
    "id",
    "minutes",
    "short",
    "cpu",
    "machine",
    "os",
    "cores",
    "trace",
    "steps",
    "change",
    "claims",
  ],
  step: ["at", "before", "walk", "show", "array", "core", "ask"],
  change: ["link"],
};

/** Reads a lesson. Throws a `LessonError` that names the file and the step. */
export function readLesson(folder: string, text: string): Lesson {
  const file = `${folder}/lesson.json`;
  const data = objectOf(file, "the file", parse(file, text));
  checkFields(file, data, FIELDS.lesson);
  const { id, minutes, short, cpu, machine, os, cores, change } = data;
  if (typeof id !== "string" || !/^[a-z][a-z0-9-]*$/.test(id))
    throw new LessonError(file, "“id” must be a word of small letters.");
  if (typeof cpu !== "string")
    throw new LessonError(file, "“cpu” must be the id of a CPU model.");
  if (change !== undefined && !isRecord(change))
    throw new LessonError(file, "“change” must be an object with “link”.");
  if (change) checkFields(`${file}, “change”`, change, FIELDS.change);
  const link = change?.["link"];
  if (change !== undefined && typeof link !== "string")
    throw new LessonError(file, "“change” must have a text “link”.");
  if (cores !== undefined && cores !== "tid" && cores !== "cpu")
    throw new LessonError(file, "“cores” must be “tid” or “cpu”.");
  const steps = listOf(file, "steps", data["steps"]);
  return {
    folder,
    id,
    minutes: wholeOf(file, "minutes", minutes),
    short: short === true,
    cpu,
    ...(machine !== undefined && { machine }),
    ...(os !== undefined && { os }),
    ...(cores && { cores }),
    trace: readTrace(file, data["trace"]),
    steps: steps.map((step, at) => readStep(file, at + 1, step)),
    ...(typeof link === "string" && { change: link }),
    claims: claimsOf(file, listOf(file, "claims", data["claims"] ?? [])),
  };
}

function readStep(file: string, n: number, value: Json): LessonStep {
  const where = `${file}, step ${n}`;
  const step = objectOf(where, "a step", value);
  checkFields(where, step, FIELDS.step);
  const { before, walk, array, core, ask } = step;
  const show = listOf(where, "show", step["show"]).map((part) => {
    const known = PARTS.find((each) => each === part);
    if (known) return known;
    throw new LessonError(
      where,
      `“show” has ${PARTS.join(", ")}, not ${JSON.stringify(part)}.`,
    );
  });
  if (show.length === 0)
    throw new LessonError(where, "“show” must name a part of the picture.");
  if (array !== undefined && typeof array !== "string")
    throw new LessonError(where, "“array” must be the name of a TLB array.");
  return {
    at: wholeOf(where, "at", step["at"] ?? 0),
    before: before === true,
    ...(walk !== undefined && { walk: wholeOf(where, "walk", walk) }),
    show,
    ...(array !== undefined && { array }),
    ...(core !== undefined && { core: wholeOf(where, "core", core) }),
    ...(ask !== undefined && { ask: readAsk(where, ask) }),
  };
}

/** The core checks the rest of a question when it is posed. */
function readAsk(where: string, value: Json): NonNullable<LessonStep["ask"]> {
  const { choices, ...ask } = objectOf(where, "“ask”", value);
  if (typeof ask["kind"] !== "string")
    throw new LessonError(where, "“ask” must have a “kind”.");
  return {
    ask: ask as unknown as Ask,
    ...(choices !== undefined && {
      choices: wholeOf(where, "choices", choices),
    }),
  };
}

function claimsOf(
  file: string,
  claims: readonly Json[],
): ReadonlyMap<string, Json> {
  return new Map(
    claims.map((value): [string, Json] => {
      const { name, expected = null } = objectOf(file, "a claim", value);
      if (typeof name !== "string")
        throw new LessonError(file, "each claim must have a “name”.");
      return [name, expected];
    }),
  );
}

type JsonObject = Readonly<Record<string, Json | undefined>>;

function isRecord(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(where: string, what: string, value: Json): JsonObject {
  if (isRecord(value)) return value;
  throw new LessonError(where, `${what} must be an object.`);
}

/** A misspelled field would do nothing. */
function checkFields(
  where: string,
  object: JsonObject,
  known: readonly string[],
): void {
  const unknown = Object.keys(object).find((field) => !known.includes(field));
  if (unknown !== undefined)
    throw new LessonError(
      where,
      `there is no field “${unknown}” here: the fields are ${known.join(", ")}.`,
    );
}

function listOf(
  where: string,
  key: string,
  value: Json | undefined,
): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  throw new LessonError(where, `“${key}” must be a list.`);
}

function parse(file: string, text: string): Json {
  try {
    // `JSON.parse` returns JSON values, so the cast is safe.
    return JSON.parse(text) as Json;
  } catch (thrown) {
    throw new LessonError(file, `it is not valid JSON: ${String(thrown)}`);
  }
}

/** The mapping of a lesson, on top of that of its model. */
export function lessonOs<T>(usual: T, os: Json | undefined): T {
  if (os === undefined) return usual;
  const patch = typeof os === "string" ? { default: os } : os;
  // The core checks the fields when the mapping is configured.
  return applyPatch(usual as Json, patch) as T;
}

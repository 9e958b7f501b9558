/** What a teacher chooses in “Ask about this”, and the exercise that it makes. */
import { DEFAULT_OS } from "../../engine/generated/defaults";
import type { Among } from "../../engine/generated/Among";
import type { Ask } from "../../engine/generated/Ask";
import type { Cores } from "../../engine/generated/Cores";
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import { MAX_QUESTIONS } from "../../engine/generated/exerciseRules";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { Panel } from "../../engine/generated/Panel";
import { mappingOf } from "../config/cpus";
import { patchFrom, same } from "../shared/mergePatch";
import type { Json } from "../shared/mergePatch";
import { canonical } from "./file";
import { askKey } from "./kinds";
import type { ExerciseFile, ExerciseTrace } from "./file";

/** The access that is shown, or some of a kind. */
export type Where = "this" | Among;

export const AMONG: readonly {
  readonly value: Among;
  readonly label: string;
}[] = [
  { value: "accesses", label: "all accesses" },
  { value: "walks", label: "walks" },
  { value: "hits", label: "hits" },
  { value: "faults", label: "faults" },
];

/** The accesses of a question. */
export interface About {
  readonly where: Where;
  readonly n: number;
}

export interface Draft {
  readonly title: string;
  readonly asks: readonly Ask[];
  readonly where: Where;
  /** How many accesses each question is asked about, if they are chosen by name. */
  readonly n: number;
  /** Questions, by key, that are about other accesses. */
  readonly own?: Readonly<Record<string, About>>;
  readonly hints: boolean;
  /** `undefined` = any number. */
  readonly attempts: number | undefined;
  /** `undefined` = numbers are typed. */
  readonly choices: number | undefined;
  readonly locked: readonly Panel[];
}

/** The most accesses that each question is asked about. */
export const MOST_OF_KIND = 20;

/** The replay that the exercise is about. */
export interface Subject {
  readonly cpu: string;
  /** The CPU model of the id. */
  readonly model: CpuModel;
  readonly machine: MachineConfig;
  readonly os: OsConfig;
  readonly cores: Cores;
  /** The access that is shown. */
  readonly at: number;
}

export function exerciseOf(
  draft: Draft,
  { cpu, model, machine, os, cores, at }: Subject,
  trace: ExerciseTrace,
): ExerciseFile {
  const { asks, hints, attempts, choices, locked } = draft;
  const patch = patchFrom(model.machine, machine);
  return {
    pagewalk: "exercise",
    version: 1,
    title: draft.title.trim(),
    cpu,
    ...(patch !== undefined && { machine: patch }),
    ...(!same(os, mappingOf(model, machine)) && { os: sparse(os) }),
    ...(cores !== "one" && { cores }),
    trace,
    questions: asks.map((ask) => {
      const { where, n } = aboutOf(draft, ask);
      return where === "this" ? { ask, at } : { ask, among: where, n };
    }),
    hints,
    ...(attempts !== undefined && { attempts }),
    ...(choices !== undefined && { choices }),
    ...(locked.length > 0 && { locked }),
  };
}

/** The fields that are not as usual: a reader fills in the others. */
function sparse(os: OsConfig): Json {
  const { default: pages, ...rest } = os;
  const usual: Readonly<Record<string, Json | undefined>> = { ...DEFAULT_OS };
  const changed = Object.entries(rest).filter(
    ([key, value]) => !same(value, usual[key]),
  );
  return { default: pages, ...Object.fromEntries(changed) };
}

export function exerciseText(file: ExerciseFile): string {
  return canonical(file as unknown as Json);
}

export function aboutOf({ where, n, own }: Draft, ask: Ask): About {
  return own?.[askKey(ask)] ?? { where, n };
}

/** What is wrong with a draft; `undefined` if it can be made. */
export function draftProblem(draft: Draft): string | undefined {
  const { title, asks } = draft;
  if (title.trim() === "") return "Write a title.";
  if (asks.length === 0) return "Choose at least one question.";
  const numbers = asks
    .map((ask) => aboutOf(draft, ask))
    .map(({ where, n }) => (where === "this" ? 1 : n));
  const isCount = (n: number) =>
    Number.isInteger(n) && n >= 1 && n <= MOST_OF_KIND;
  if (!numbers.every(isCount))
    return `Write a whole number of accesses from 1 to ${MOST_OF_KIND}.`;
  const asked = numbers.reduce((sum, n) => sum + n, 0);
  if (asked > MAX_QUESTIONS)
    return `A student gets at most ${MAX_QUESTIONS} questions; these are ${asked}.`;
  return undefined;
}

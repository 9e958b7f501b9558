/** An exercise as a file: a trace, a machine, and questions. Its form is that of `pagewalk exercise`. */
import type { ExerciseQuestion } from "../../engine/generated/ExerciseQuestion";
import type { Panel } from "../../engine/generated/Panel";
import type { WorkloadChoice } from "../generate/workload";
import type { Json } from "../shared/mergePatch";

export type ExerciseTrace =
  | { readonly lines: string }
  | { readonly workload: WorkloadChoice }
  | { readonly code: string }
  | { readonly example: string };

export interface ExerciseFile {
  readonly pagewalk: "exercise";
  readonly version: 1;
  readonly title: string;
  /** The id of a CPU model. */
  readonly cpu: string;
  /** The merge patch to its machine. */
  readonly machine?: Json;
  readonly os?: Json;
  readonly cores?: "tid" | "cpu";
  readonly trace: ExerciseTrace;
  readonly questions: readonly ExerciseQuestion[];
  readonly hints: boolean;
  /** Missing = any number. */
  readonly attempts?: number;
  /** Missing = numbers are typed. */
  readonly choices?: number;
  readonly locked?: readonly Panel[];
}

/** JSON with sorted keys and without spaces: equal exercises have equal texts. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value))
    return `[${(value as readonly Json[]).map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = value as Readonly<Record<string, Json | undefined>>;
  const parts = Object.keys(fields)
    .filter((key) => fields[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(fields[key])}`);
  return `{${parts.join(",")}}`;
}

/** Returns whether a text begins as the file of an exercise does. */
export function isExercise(start: string): boolean {
  return /^\s*\{/.test(start) && /"pagewalk"\s*:\s*"exercise"/.test(start);
}

/** The name of the file: `Sets and victims` is `sets-and-victims.exercise.json`. */
export function exerciseFileName(title: string): string {
  const stem = safeName(title.toLowerCase()) || "exercise";
  return `${stem}.exercise.json`;
}

/** The name of a student's answer file. */
export function answerFileName(name: string): string {
  return `${safeName(name) || "answers"}.pw1.txt`;
}

/** Letters and digits of any script; everything else is a hyphen. */
function safeName(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60);
}

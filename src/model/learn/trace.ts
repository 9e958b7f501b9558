/** The trace of a lesson: written as lines, as a program, as a workload, or one of the examples. */
import { SCRIPT_EXAMPLES } from "../code/scriptExamples";
import type { WorkloadChoice } from "../generate/workload";
import type { Json } from "../shared/mergePatch";
import { LessonError } from "./error";

export type LessonTrace =
  | { readonly lines: string }
  /** A JavaScript program. */
  | { readonly code: string; readonly name: string }
  | { readonly workload: WorkloadChoice }
  /** The id of an example trace. */
  | { readonly example: string };

export function readTrace(file: string, value: Json | undefined): LessonTrace {
  const of = (key: string): Json | undefined =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, Json | undefined>>)[key]
      : undefined;
  const [lines, code, loop, example] = ["lines", "code", "loop", "example"].map(
    of,
  );
  if (typeof lines === "string") return { lines };
  if (typeof code === "string") return { code, name: "program of the lesson" };
  if (typeof example === "string") return { example };
  if (typeof loop === "string") {
    const found = SCRIPT_EXAMPLES.find(({ id }) => id === loop);
    if (!found) throw new LessonError(file, `there is no program “${loop}”.`);
    return { code: found.code, name: found.name };
  }
  const workload = of("workload");
  if (typeof workload === "object" && workload !== null)
    return { workload: readWorkload(file, workload) };
  throw new LessonError(
    file,
    "“trace” must have “lines”, “loop”, “code”, “workload” or “example”.",
  );
}

function readWorkload(file: string, value: object): WorkloadChoice {
  const { id, params = {} } = value as { id?: Json; params?: Json };
  if (typeof id !== "string" || typeof params !== "object" || params === null)
    throw new LessonError(file, "“workload” must have “id” and “params”.");
  const texts = Object.entries(params).map(([key, text]) => [
    key,
    typeof text === "string" ? text : JSON.stringify(text),
  ]);
  return { id, params: Object.fromEntries(texts) as WorkloadChoice["params"] };
}

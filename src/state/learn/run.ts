/** Simulates a lesson on an engine of its own, so that the trace in the replay stays as it is. */
import type { Engine } from "../../engine/calls";
import { EngineError } from "../../engine/engine";
import type { CpuModel } from "../../engine/generated/CpuModel";
import { mappingOf } from "../../model/config/cpus";
import { lessonOs } from "../../model/learn/lesson";
import type { Lesson, LessonStep } from "../../model/learn/lesson";
import type { Scene } from "../../model/learn/picture";
import { carriedData, carriedText } from "../../model/permalink/carried";
import { patchedMachine } from "../../model/permalink/permalink";
import { SCRIPT_LIMITS, NOT_LOADED } from "../../model/code/code";
import { configurationOf, modelOf, withCores } from "../config/configurations";
import type { Configuration } from "../config/configurations";
import type { Services } from "../context";
import { builtInTrace, withGivenOf } from "../import/traces";
import type { TraceSource } from "../replay/scene";

/** The machine of a lesson. */
export function lessonConfiguration(
  { cpu, machine: patch, os, cores, trace }: Lesson,
  cpus: readonly CpuModel[],
): Configuration {
  const model = modelOf({ cpus }, cpu);
  if (!model)
    throw new EngineError("bad-config", `There is no CPU model “${cpu}”.`);
  const machine = patchedMachine(model.machine, patch);
  const plain = configurationOf(
    { ...model, machine },
    lessonOs(mappingOf(model, machine), os),
  );
  const shipped = "example" in trace ? builtInTrace(trace.example) : undefined;
  return withCores(
    shipped && os === undefined ? withGivenOf(plain, shipped) : plain,
    cores ?? shipped?.cores,
  );
}

/** The trace of a lesson, in the form that a replay opens and a link carries. */
export async function lessonSource(
  { trace }: Pick<Lesson, "trace">,
  name: string,
  { codeService }: Pick<Services, "codeService">,
): Promise<TraceSource> {
  if ("workload" in trace) return { workload: trace.workload };
  if ("example" in trace) {
    const shipped = builtInTrace(trace.example);
    if (shipped) return { shipped };
    throw new EngineError("bad-trace", `There is no trace “${trace.example}”.`);
  }
  if ("lines" in trace) {
    const word = await codeService.pack(carriedText({}, trace.lines));
    const file = new Blob([trace.lines]);
    return {
      text: { file, name, choices: {}, data: carriedData("text", word) },
    };
  }
  const made = await codeService
    .run(trace.code, {
      signal: new AbortController().signal,
      onProgress: () => {},
    })
    .catch(() => undefined);
  if (!made) throw new EngineError("bad-trace", NOT_LOADED);
  if ("message" in made) throw new EngineError("bad-trace", made.message);
  const data = carriedData("loop", await codeService.pack(trace.code));
  const choices = { limit: SCRIPT_LIMITS.accesses };
  return { text: { file: made.file(), name: trace.name, choices, data } };
}

/** Makes the trace the engine's current one. */
export async function openTrace(
  engine: Engine,
  source: TraceSource,
  fetchTrace: Services["fetchTrace"],
): Promise<void> {
  if ("workload" in source) await engine.start("generate", source.workload);
  else if ("text" in source) {
    const { file, name, choices } = source.text;
    await engine.start("import", { file, name, ...choices });
  } else if ("shipped" in source) {
    const file = await fetchTrace(source.shipped);
    await engine.call("open", { file, name: source.shipped.title });
  }
}

/** Looks up the access of a step, and the state before it. */
export async function sceneOf(
  engine: Engine,
  machine: Scene["machine"],
  { at, core }: Pick<LessonStep, "at" | "core">,
): Promise<Scene> {
  const on = core === undefined ? {} : { core };
  const { step, columns } = await engine.call("seek", { index: at, ...on });
  if (at === 0) return { machine, step, columns };
  const { access } = step;
  // With several cores, the state before is that of the core of this access.
  const own = step.cores ? { core: coreOf(step.cores, access) } : {};
  const earlier = await engine.call("seek", { index: at - 1, ...own, ...on });
  return { machine, step, columns, earlier };
}

function coreOf(
  cores: readonly { readonly core: number; readonly active: boolean }[],
  { tid }: { readonly tid: number },
): number {
  return cores.find(({ active }) => active)?.core ?? tid;
}

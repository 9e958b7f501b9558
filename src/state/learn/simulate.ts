/** Opens the trace of a lesson on its machine, and counts what its steps show of the whole run. */
import type { Engine } from "../../engine/calls";
import type { MachineView } from "../../engine/generated/MachineView";
import type { Setup } from "../../engine/engine";
import type { Lesson } from "../../model/learn/lesson";
import { curveSize, lessonCurve, shows } from "../../model/learn/whole";
import type { LessonCurve, WholeRun } from "../../model/learn/whole";
import { givenKeys } from "../../model/tlb/given";
import { KINDS } from "../../model/whatif/questions";
import type { Services } from "../context";
import type { TraceSource } from "../replay/scene";
import { lessonConfiguration, lessonSource, openTrace } from "./run";
import type { LessonEntry } from "./state";

export interface Loaded {
  readonly machine: MachineView;
  readonly whole: WholeRun;
}

export async function simulate(
  services: Pick<Services, "codeService" | "fetchTrace">,
  engine: Engine,
  { lesson, text }: LessonEntry,
): Promise<Loaded> {
  const cpus = await engine.call("cpus", {});
  const { setup } = lessonConfiguration(lesson, cpus);
  const source = await lessonSource(lesson, text.title, services);
  return runLesson(services, engine, lesson, setup, source);
}

/** Runs the trace of a lesson or of an exercise on its machine. */
export async function runLesson(
  services: Pick<Services, "fetchTrace">,
  engine: Engine,
  lesson: Lesson,
  setup: Setup,
  source: TraceSource,
): Promise<Loaded> {
  await openTrace(engine, source, services.fetchTrace);
  const machine = await engine.call("configure", setup);
  const report = await engine.start("run", {});
  const timeline = shows(lesson, "timeline")
    ? await timelineOf(engine, report.trace.accesses)
    : undefined;
  const curve = await curveOf(engine, lesson, setup, report);
  return {
    machine,
    whole: {
      report,
      given: givenKeys(setup.os.given, machine),
      ...(timeline && { timeline }),
      ...(curve && { curve }),
    },
  };
}

function timelineOf(engine: Engine, n: number) {
  const bins = Math.max(1, Math.min(256, n));
  return engine.start("timeline", { from: 0, to: n, bins, rows: 40 });
}

async function curveOf(
  engine: Engine,
  lesson: Lesson,
  { machine, os }: Setup,
  report: WholeRun["report"],
): Promise<LessonCurve | undefined> {
  if (!shows(lesson, "curve")) return undefined;
  const pages = curveSize(machine, os);
  const curve = await engine.start("analyse", {
    what: "curve",
    uses: { pages, kinds: [...KINDS.data] },
  });
  return lessonCurve(machine, pages, curve, report);
}

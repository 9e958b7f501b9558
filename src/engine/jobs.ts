/**
 * The long and the short work of a session, as generators: each `yield` is the end of a slice,
 * where other messages may be handled, and says how far the work is. Each `as` names the
 * generated type of exactly the JSON before it.
 */
import type { Answers } from "./answers";
import type {
  ExportedTrace,
  Progress,
  SavedTrace,
  Snapshot,
  Timeline,
} from "./engine";
import type { AttributionView } from "./generated/AttributionView";
import type { CpuModel } from "./generated/CpuModel";
import type { ExperimentInfo } from "./generated/ExperimentInfo";
import type { ExperimentResult } from "./generated/ExperimentResult";
import type { FamilyName } from "./generated/FamilyName";
import type { Lost } from "./generated/Lost";
import type { MachineView } from "./generated/MachineView";
import type { Measured } from "./generated/Measured";
import type { RunReport } from "./generated/RunReport";
import type { StepView } from "./generated/StepView";
import type { TimelineView } from "./generated/TimelineView";
import type { SurveyReport } from "./generated/SurveyReport";
import type { TraceView } from "./generated/TraceView";
import type { WorkloadCheck } from "./generated/WorkloadCheck";
import type { WorkloadInfo } from "./generated/WorkloadInfo";
import type { Call } from "./protocol";
import { Slicer } from "./slices";
import type {
  FirstModule,
  FirstSession,
  WasmModule,
  WasmSession,
} from "./wasm";

export type Slices<T> = Generator<Omit<Progress, "rate"> | undefined, T>;

/** Accesses in the first slice, and the limits between which it adapts. */
export const slicer = () => new Slicer(1 << 16, 1 << 10, 1 << 26);

/** A survey tells its progress in so many parts. */
const SURVEY_PARTS = 1000;

export function cpus(module: FirstModule): readonly CpuModel[] {
  return JSON.parse(module.cpus()) as CpuModel[];
}

export function finishImport(session: WasmSession): TraceView {
  return JSON.parse(session.finishImport()) as TraceView;
}

export function openSaved(
  session: FirstSession,
  name: string,
  file: Uint8Array,
): TraceView {
  return JSON.parse(session.openSaved(name, file)) as TraceView;
}

/** Parts of the file become a blob as they are made: the browser may keep them outside of memory. */
export function* save(session: FirstSession): Slices<SavedTrace> {
  const total = session.beginSave();
  const parts: Blob[] = [];
  for (;;) {
    const part = session.savePart();
    if (!part) break;
    // The binding copies it out of the module's memory, into a buffer of its own.
    parts.push(new Blob([part as Uint8Array<ArrayBuffer>]));
    yield { done: parts.length, total, unit: "parts" };
  }
  return { file: new Blob(parts), hash: session.finishSave() };
}

/** Text in parts, as `save`. */
export function* exportTrace(
  session: WasmSession,
  { format }: Call<"export">,
): Slices<ExportedTrace> {
  const total = session.beginExport(JSON.stringify(format));
  const parts: Blob[] = [];
  for (;;) {
    const part = session.exportPart();
    if (!part) break;
    parts.push(new Blob([part as Uint8Array<ArrayBuffer>]));
    yield { done: parts.length, total, unit: "parts" };
  }
  const lost = JSON.parse(session.finishExport()) as Lost[];
  return { file: new Blob(parts, { type: "text/plain" }), lost };
}

/** The trace of one session in another, which may be of another module. */
export function copyTrace(from: FirstSession, to: WasmSession): void {
  const parts: Uint8Array[] = [];
  from.beginSave();
  for (let part = from.savePart(); part; part = from.savePart())
    parts.push(part);
  const file = new Uint8Array(
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  to.openSaved("", file);
}

export function workloads(module: WasmModule): readonly WorkloadInfo[] {
  return JSON.parse(module.workloads()) as WorkloadInfo[];
}

export function checkWorkload(
  module: WasmModule,
  { workload }: Call<"checkWorkload">,
): WorkloadCheck {
  return JSON.parse(
    module.checkWorkload(JSON.stringify(workload)),
  ) as WorkloadCheck;
}

export function* generate(
  session: WasmSession,
  { workload }: Call<"generate">,
): Slices<TraceView> {
  const slices = slicer();
  const total = session.beginGenerate(JSON.stringify(workload));
  let done = 0;
  const more = (size: number) => {
    done += size;
    return session.generateSlice(size);
  };
  while (!slices.slice(more)) yield { done, total, unit: "accesses" };
  return JSON.parse(session.finishGenerate()) as TraceView;
}

export function experiments(module: WasmModule): readonly ExperimentInfo[] {
  return JSON.parse(module.experiments()) as ExperimentInfo[];
}

export function eventFamilies(module: WasmModule): readonly FamilyName[] {
  return JSON.parse(module.eventFamilies()) as FamilyName[];
}

export function measure(
  module: WasmModule,
  { text, options }: Call<"measure">,
): Measured {
  return JSON.parse(module.measure(text, JSON.stringify(options))) as Measured;
}

export function* experiment(
  session: WasmSession,
  { experiment }: Call<"experiment">,
): Slices<ExperimentResult> {
  const slices = slicer();
  const total = session.beginExperiment(experiment);
  while (!slices.slice((size) => session.experimentSlice(size)))
    yield { done: session.experimentPosition(), total, unit: "accesses" };
  return JSON.parse(session.finishExperiment()) as ExperimentResult;
}

export function* survey(
  session: WasmSession,
  { options }: Call<"survey">,
): Slices<SurveyReport> {
  session.beginSurvey(JSON.stringify(options));
  while (!session.surveySlice())
    yield {
      done: Math.floor(session.surveyProgress() * SURVEY_PARTS),
      total: SURVEY_PARTS,
      unit: "parts",
    };
  return JSON.parse(session.finishSurvey()) as SurveyReport;
}

/** An analysis tells its progress in so many parts. */
const ANALYSIS_PARTS = 1000;

/** It is let go where it is cancelled, too. */
export function* analyse(
  session: WasmSession,
  { question }: Call<"analyse">,
): Slices<Answers[keyof Answers]> {
  const task = session.analyse(JSON.stringify(question));
  try {
    while (!task.slice())
      yield {
        done: Math.floor(task.progress() * ANALYSIS_PARTS),
        total: ANALYSIS_PARTS,
        unit: "parts",
      };
    return JSON.parse(task.finish()) as Answers[keyof Answers];
  } finally {
    task.free();
  }
}

export function configure(
  session: FirstSession,
  { setup }: Call<"configure">,
): MachineView {
  return JSON.parse(session.configure(JSON.stringify(setup))) as MachineView;
}

export function* run(session: FirstSession): Slices<RunReport> {
  const slices = slicer();
  session.beginRun();
  while (!slices.slice((size) => session.runSlice(size)))
    yield { done: session.runPosition(), unit: "accesses" };
  return JSON.parse(session.report()) as RunReport;
}

/** `nStructures` as the last `MachineView` counted them. */
export function seek(
  session: FirstSession,
  { index, core }: Call<"seek">,
  nStructures: number,
): Snapshot {
  const step = JSON.parse(session.seek(index)) as StepView;
  const columns = Array.from({ length: nStructures }, (_, structure) =>
    session.columns(structure, core),
  );
  return core === undefined ? { step, columns } : { step, columns, core };
}

export function* find(
  session: FirstSession,
  { index, direction, target }: Call<"find">,
): Slices<number | null> {
  session.beginFind(index, direction, JSON.stringify(target));
  for (;;) {
    const found = session.findSlice();
    if (found !== undefined) return found;
    yield undefined;
  }
}

export function* timeline(
  session: FirstSession,
  { from, to, bins, rows, only }: Call<"timeline">,
): Slices<Timeline> {
  const slices = slicer();
  const filter = only && JSON.stringify(only);
  session.beginTimeline(from, to, bins, rows, filter);
  while (!slices.slice((size) => session.timelineSlice(size))) yield undefined;
  const { view, ...columns } = session.timeline();
  return { view: JSON.parse(view) as TimelineView, ...columns };
}

export function* attribution(
  session: WasmSession,
  total: number,
): Slices<AttributionView> {
  const slices = slicer();
  session.beginAttribution();
  let done = 0;
  const more = (size: number) => {
    done += size;
    return session.attributionSlice(size);
  };
  while (!slices.slice(more))
    yield { done: Math.min(done, total), total, unit: "accesses" };
  return JSON.parse(session.finishAttribution()) as AttributionView;
}

export function* runRow(
  session: WasmSession,
  { spec, row, hash }: Call<"runRow">,
): Slices<string> {
  const slices = slicer();
  const total = session.beginRow(spec, row);
  let done = 0;
  const more = (size: number) => {
    done += size;
    return session.rowSlice(size);
  };
  while (!slices.slice(more))
    yield { done: Math.min(done, total), total, unit: "accesses" };
  return session.finishRow(hash);
}

export function* runWhole(
  session: WasmSession,
  { setup }: Call<"runWhole">,
): Slices<RunReport> {
  const slices = slicer();
  const [start = 0, end = 0] = session.beginWhole(JSON.stringify(setup));
  const total = end - start;
  while (!slices.slice((size) => session.wholeSlice(size)))
    yield { done: session.wholePosition() - start, total, unit: "accesses" };
  return JSON.parse(session.finishWhole()) as RunReport;
}

/**
 * The engine over any transport. When the instance behind it has died, the trace and the machine of the last good
 * run are restored in the new one.
 */
import type { AnswerTo } from "./answers";
import type {
  AccessFilter,
  Engine,
  ExportedTrace,
  ImportChoices,
  ImportOptions,
  ManyOptions,
  MeasureOptions,
  PairRegions,
  PairSteps,
  PairView,
  RowOutcome,
  SavedTrace,
  Setup,
  Snapshot,
  SweepOptions,
  Target,
  TaskOptions,
  Timeline,
  WholeOutcome,
  Workload,
} from "./engine";
import type { AttributionView } from "./generated/AttributionView";
import type { CpuModel } from "./generated/CpuModel";
import type { ExperimentInfo } from "./generated/ExperimentInfo";
import type { ExperimentResult } from "./generated/ExperimentResult";
import type { ExportFormat } from "./generated/ExportFormat";
import type { FamilyName } from "./generated/FamilyName";
import type { LockstepView } from "./generated/LockstepView";
import type { MachineView } from "./generated/MachineView";
import type { Measured } from "./generated/Measured";
import type { Peek } from "./generated/Peek";
import type { Question } from "./generated/Question";
import type { RunReport } from "./generated/RunReport";
import type { SurveyOptions } from "./generated/SurveyOptions";
import type { SurveyReport } from "./generated/SurveyReport";
import type { TraceView } from "./generated/TraceView";
import type { WorkloadCheck } from "./generated/WorkloadCheck";
import type { WorkloadInfo } from "./generated/WorkloadInfo";
import { Connection } from "./connection";
import type { Connect } from "./connection";
import { RunPool } from "./pool";
import type { Call, CallName, Calls } from "./protocol";

/** After so many milliseconds without one, what was made for many runs is let go. */
const IDLE_MS = 30_000;

/** How a crash ended: the new instance stands where the last good run stood, or it is empty. */
export type Recovery =
  ({ readonly outcome: "restored" } & Restored) | { readonly outcome: "lost" };

/** What the new instance was given, and what it made of it. */
export interface Restored {
  readonly trace: TraceView;
  /** If the trace was generated. */
  readonly workload?: Workload;
  readonly setup: Setup;
  readonly machine: MachineView;
  readonly report: RunReport;
}

/** An engine that survives the death of its instance. */
export interface RecoveringEngine extends Engine {
  /** Settles when the instance that replaces a crashed one is ready; `undefined` if none crashed. */
  recovery(): Promise<Recovery | undefined>;
}

/** How the trace was made, to make it again. */
type Source =
  | { readonly file: Omit<Call<"import">, "id" | "type"> }
  | { readonly shipped: Omit<Call<"open">, "id" | "type"> }
  | { readonly workload: Workload };

/** A trace and a machine; a pair is good once a whole run on it has ended. */
interface Scene {
  readonly source: Source;
  readonly setup: Setup;
}

export class EngineClient implements RecoveringEngine {
  readonly #pool: RunPool;
  readonly #connection: Connection;
  #scene: Partial<Scene> = {};
  #good: Scene | undefined;
  #recovery: Promise<Recovery | undefined> = Promise.resolve(undefined);
  #restoring = false;

  /** `nRunners`: instances that may run machines beside this one, each with a copy of the trace. */
  constructor(connect: Connect, nRunners = 1) {
    this.#pool = new RunPool({
      make: () => new EngineClient(connect),
      save: () => this.saveTrace(),
      size: nRunners,
      idleMs: IDLE_MS,
    });
    this.#connection = new Connection(connect, () => this.#onReplaced());
  }

  cpus(): Promise<readonly CpuModel[]> {
    return this.#call("cpus", {});
  }

  async importFile(
    file: Blob,
    name: string,
    { signal, onProgress, ...choices }: ImportOptions = {},
  ): Promise<TraceView> {
    const args = { file, name, choices };
    const options = {
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    };
    const trace = await this.#call("import", args, options);
    this.#isOf({ file: args });
    return trace;
  }

  peek(file: Blob, name: string, choices: ImportChoices = {}): Promise<Peek> {
    return this.#call("peek", { file, name, choices });
  }

  async openShipped(file: Blob, name: string): Promise<TraceView> {
    const shipped = { file, name };
    const trace = await this.#call("open", shipped);
    this.#isOf({ shipped });
    return trace;
  }

  async prefetch(): Promise<void> {
    await this.#call("prefetch", {});
  }

  saveTrace(options: TaskOptions = {}): Promise<SavedTrace> {
    return this.#call("save", {}, options);
  }

  exportTrace(
    format: ExportFormat,
    options: TaskOptions = {},
  ): Promise<ExportedTrace> {
    return this.#call("export", { format }, options);
  }

  workloads(): Promise<readonly WorkloadInfo[]> {
    return this.#call("workloads", {});
  }

  checkWorkload(workload: Workload): Promise<WorkloadCheck> {
    return this.#call("checkWorkload", { workload });
  }

  async generate(
    workload: Workload,
    options: TaskOptions = {},
  ): Promise<TraceView> {
    const trace = await this.#call("generate", { workload }, options);
    this.#isOf({ workload });
    return trace;
  }

  experiments(): Promise<readonly ExperimentInfo[]> {
    return this.#call("experiments", {});
  }

  experiment(id: string, options: TaskOptions = {}): Promise<ExperimentResult> {
    return this.#call("experiment", { experiment: id }, options);
  }

  eventFamilies(): Promise<readonly FamilyName[]> {
    return this.#call("eventFamilies", {});
  }

  measure(text: string, options: MeasureOptions = {}): Promise<Measured> {
    return this.#call("measure", { text, options });
  }

  survey(
    options: SurveyOptions,
    task: TaskOptions = {},
  ): Promise<SurveyReport> {
    return this.#call("survey", { options }, task);
  }

  async configure(setup: Setup): Promise<MachineView> {
    const machine = await this.#call("configure", { setup });
    this.#scene = { ...this.#scene, setup };
    return machine;
  }

  async run(options: TaskOptions = {}): Promise<RunReport> {
    const { source, setup } = this.#scene;
    const report = await this.#call("run", {}, options);
    if (source && setup) this.#good = { source, setup };
    return report;
  }

  seek(index: number, core?: number): Promise<Snapshot> {
    return this.#call("seek", core === undefined ? { index } : { index, core });
  }

  find(
    index: number,
    direction: 1 | -1,
    target: Target,
    options: TaskOptions = {},
  ): Promise<number | null> {
    return this.#call("find", { index, direction, target }, options);
  }

  timeline(
    from: number,
    to: number,
    bins: number,
    rows: number,
    only?: AccessFilter,
  ): Promise<Timeline> {
    const args = { from, to, bins, rows, ...(only && { only }) };
    return this.#call("timeline", args);
  }

  attribution(options: TaskOptions = {}): Promise<AttributionView> {
    return this.#call("attribution", {}, options);
  }

  runWhole(setup: Setup, options: TaskOptions = {}): Promise<RunReport> {
    return this.#call("runWhole", { setup }, options);
  }

  runMany(
    setups: readonly Setup[],
    options: ManyOptions = {},
  ): Promise<readonly WholeOutcome[]> {
    return this.#pool.run(setups, options);
  }

  sweepRows(spec: string): Promise<number> {
    return this.#call("sweepRows", { spec });
  }

  sweep(
    spec: string,
    rows: readonly number[],
    options: SweepOptions = {},
  ): Promise<readonly RowOutcome[]> {
    return this.#pool.sweep(spec, rows, options);
  }

  /** One row, here. */
  runRow(
    spec: string,
    row: number,
    hash: string,
    options: TaskOptions = {},
  ): Promise<string> {
    return this.#call("runRow", { spec, row, hash }, options);
  }

  sweepTable(lines: string): Promise<string> {
    return this.#call("sweepTable", { lines });
  }

  analyse<Q extends Question>(
    question: Q,
    options: TaskOptions = {},
  ): Promise<AnswerTo<Q>> {
    // The answer is to the question that was asked.
    return this.#call("analyse", { question }, options) as Promise<AnswerTo<Q>>;
  }

  openPair(
    left: Setup,
    right: Setup,
    options: TaskOptions = {},
  ): Promise<PairView> {
    return this.#call("openPair", { left, right }, options);
  }

  seekPair(index: number): Promise<PairSteps> {
    return this.#call("seekPair", { index });
  }

  findDifference(
    index: number,
    direction: 1 | -1,
    options: TaskOptions = {},
  ): Promise<number | null> {
    return this.#call("findDifference", { index, direction }, options);
  }

  comparePair(bins: number, options: TaskOptions = {}): Promise<LockstepView> {
    return this.#call("comparePair", { bins }, options);
  }

  pairRegions(options: TaskOptions = {}): Promise<PairRegions> {
    return this.#call("pairRegions", {}, options);
  }

  crash(): Promise<never> {
    return this.#call("crash", {});
  }

  recovery(): Promise<Recovery | undefined> {
    return this.#recovery;
  }

  dispose(): void {
    this.#pool.letGo();
    this.#connection.close();
  }

  /** The trace is another one. */
  #isOf(source: Source): void {
    this.#scene = { ...this.#scene, source };
    this.#pool.letGo();
  }

  /** A call of the app: it waits for a restoration that is under way. */
  async #call<K extends CallName>(
    type: K,
    args: Calls[K]["args"],
    options: TaskOptions = {},
  ): Promise<Calls[K]["result"]> {
    if (this.#restoring) await this.#recovery;
    return this.#connection.send(type, args, options);
  }

  #onReplaced(): void {
    // While restoring, the restoration itself hears of this by its rejected call.
    if (this.#restoring) return;
    this.#restoring = true;
    this.#recovery = this.#restore();
  }

  async #restore(): Promise<Recovery> {
    const good = this.#good;
    // What runs on copies of the same trace goes on.
    if (good?.source !== this.#scene.source) this.#pool.letGo();
    this.#scene = {};
    this.#good = undefined;
    try {
      if (!good) return { outcome: "lost" };
      const { source, setup } = good;
      const trace = await this.#make(source);
      const machine = await this.#connection.send("configure", { setup });
      const report = await this.#connection.send("run", {});
      this.#scene = good;
      this.#good = good;
      return {
        outcome: "restored",
        trace,
        ...("workload" in source && source),
        setup,
        machine,
        report,
      };
    } catch {
      // Not even this works: an empty instance is better than one that crashes again and again.
      return { outcome: "lost" };
    } finally {
      this.#restoring = false;
    }
  }

  #make(source: Source): Promise<TraceView> {
    if ("file" in source) return this.#connection.send("import", source.file);
    if ("shipped" in source)
      return this.#connection.send("open", source.shipped);
    return this.#connection.send("generate", source);
  }
}

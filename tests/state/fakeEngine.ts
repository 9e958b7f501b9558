/** An engine that answers at once and keeps what it was asked; every third access is a walk. */
import type { Recovery, RecoveringEngine } from "../../src/engine/client";
import { EngineError } from "../../src/engine/engine";
import type {
  AccessFilter,
  EngineErrorCode,
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
} from "../../src/engine/engine";
import type { AnswerTo } from "../../src/engine/answers";
import type { AttributionView } from "../../src/engine/generated/AttributionView";
import type { CpuModel } from "../../src/engine/generated/CpuModel";
import type { ExperimentInfo } from "../../src/engine/generated/ExperimentInfo";
import type { ExperimentResult } from "../../src/engine/generated/ExperimentResult";
import type { ExportFormat } from "../../src/engine/generated/ExportFormat";
import type { FamilyName } from "../../src/engine/generated/FamilyName";
import type { LockstepView } from "../../src/engine/generated/LockstepView";
import type { MachineView } from "../../src/engine/generated/MachineView";
import type { Measured } from "../../src/engine/generated/Measured";
import type { Peek } from "../../src/engine/generated/Peek";
import type { Question } from "../../src/engine/generated/Question";
import type { RunReport } from "../../src/engine/generated/RunReport";
import type { SurveyOptions } from "../../src/engine/generated/SurveyOptions";
import type { SurveyReport } from "../../src/engine/generated/SurveyReport";
import type { StructureView } from "../../src/engine/generated/StructureView";
import type { TraceView } from "../../src/engine/generated/TraceView";
import type { WorkloadCheck } from "../../src/engine/generated/WorkloadCheck";
import type { WorkloadInfo } from "../../src/engine/generated/WorkloadInfo";

export class FakeEngine implements RecoveringEngine {
  readonly log: string[] = [];
  /** The next call of this name fails with this error. */
  readonly failures = new Map<string, EngineError>();
  /** Calls of this name wait until they are let go. */
  readonly held = new Map<string, Promise<void>>();
  /** Threads with a core of their own, by the access that is their first. */
  readonly firstOf = new Map<number, number>();
  /** What the newest import was asked for. */
  imported: object | undefined;
  nextRecovery: Recovery | undefined;
  #trace = view("", 0);
  #setup: Setup | undefined;

  failNext(call: string, code: EngineErrorCode, field?: string): void {
    const at = field === undefined ? undefined : { field };
    this.failures.set(call, new EngineError(code, `${call} failed.`, at));
  }

  /** Holds calls of this name; the result lets them go. */
  hold(call: string): () => void {
    let release = () => {};
    this.held.set(call, new Promise((resolve) => (release = resolve)));
    return () => {
      this.held.delete(call);
      release();
    };
  }

  async #call(call: string, detail: string | number = ""): Promise<void> {
    this.log.push(`${call} ${detail}`.trim());
    await this.held.get(call);
    const failure = this.failures.get(call);
    this.failures.delete(call);
    if (failure) throw failure;
  }

  async cpus(): Promise<readonly CpuModel[]> {
    await this.#call("cpus");
    return [cpu("intel-skylake-sp", "Skylake-SP"), cpu("amd-zen2", "Zen 2")];
  }

  openShipped(file: Blob, name: string): Promise<TraceView> {
    return this.importFile(file, name);
  }

  async prefetch(): Promise<void> {
    await this.#call("prefetch");
  }

  /** A list that is clear, unless its name says that it is not, or that it is what perf stat printed. */
  async peek(
    _file: Blob,
    name: string,
    { format, list, select }: ImportChoices = {},
  ): Promise<Peek> {
    await this.#call("peek", [name, format, list?.base].join(" ").trim());
    const records = (select?.pids ?? []).map((pid) => ({
      size: 8,
      pid,
      tid: pid,
      cpu: 0,
    }));
    const nothing = { packed: [], shown: [], records, is_whole: true };
    if (name.startsWith("stat"))
      return {
        ...nothing,
        problem: { code: "counters", message: "no accesses" },
      };
    const { import: report } = view(name, 3);
    const isGuess = name.includes("guess") && list?.base === undefined;
    return {
      ...nothing,
      report,
      list: {
        separator: "comma",
        columns: ["address"],
        base: list?.base ?? "decimal",
        base_is_guessed: isGuess,
        rows: [],
      },
    };
  }

  async importFile(
    file: Blob,
    name: string,
    { signal, limit, format, list, select }: ImportOptions = {},
  ): Promise<TraceView> {
    await this.#call("import", name);
    this.imported = { limit, format, list, select };
    if (signal?.aborted) throw new EngineError("cancelled", "Cancelled.");
    // The name says whether it has samples, and whether these are all that it has.
    const n = name.endsWith(".cycles.data") ? 0 : file.size;
    const samples = name.endsWith(".data") ? { samples: file.size } : {};
    this.#trace = { ...view(name, n), ...samples };
    return this.#trace;
  }

  async saveTrace(): Promise<SavedTrace> {
    await this.#call("save");
    const { name, n_accesses: n } = this.#trace;
    return { file: new Blob(["x".repeat(n)]), hash: `hash of ${name}` };
  }

  async exportTrace(
    format: ExportFormat,
    { signal, onProgress }: TaskOptions = {},
  ): Promise<ExportedTrace> {
    onProgress?.({ done: 1, total: 2, unit: "parts", rate: 1 });
    await this.#call("export", format);
    if (signal?.aborted) throw new EngineError("cancelled", "Cancelled.");
    return { file: new Blob([format]), lost: [{ what: "sizes", count: 3 }] };
  }

  async workloads(): Promise<readonly WorkloadInfo[]> {
    await this.#call("workloads");
    return [{ id: "uniform", name: "Uniform", about: "", params: [] }];
  }

  /** A trace has as many accesses as its parameter says, else `N`. */
  async checkWorkload({ id, params }: Workload): Promise<WorkloadCheck> {
    await this.#call("check", id);
    return {
      errors: [],
      accesses: Number(params["accesses"] ?? 100),
      bytes: 1,
    };
  }

  async generate(
    { id, params }: Workload,
    { signal, onProgress }: TaskOptions = {},
  ): Promise<TraceView> {
    onProgress?.({ done: 1, total: 2, unit: "accesses", rate: 1 });
    await this.#call("generate", id);
    if (signal?.aborted) throw new EngineError("cancelled", "Cancelled.");
    this.#trace = view(id, Number(params["accesses"] ?? 100));
    return this.#trace;
  }

  async experiments(): Promise<readonly ExperimentInfo[]> {
    await this.#call("experiments");
    return ["first", "second"].map(experiment);
  }

  async experiment(
    id: string,
    { signal, onProgress }: TaskOptions = {},
  ): Promise<ExperimentResult> {
    onProgress?.({ done: 1, total: 2, unit: "accesses", rate: 1 });
    await this.#call("experiment", id);
    if (signal?.aborted) throw new EngineError("cancelled", "Cancelled.");
    return {
      ...experiment(id),
      answer: "Yes.",
      tables: [],
      charts: [],
      differences: [],
      corrections: [],
      parts: [],
    };
  }

  async eventFamilies(): Promise<readonly FamilyName[]> {
    await this.#call("eventFamilies");
    return [{ id: "amd-zen", name: "AMD Zen" }];
  }

  /** Each line of the text is the name of a counter. */
  async measure(text: string, options: MeasureOptions = {}): Promise<Measured> {
    const { family, cpu, run } = options;
    await this.#call(
      "measure",
      [
        family ?? "any",
        cpu ?? "",
        run ? run.trace.accesses : "-",
        ...(run?.trace.part ? ["of a part"] : []),
      ].join(" "),
    );
    return {
      form: "text",
      of: text,
      runs: null,
      elapsed_s: null,
      intervals: 0,
      family: family ? { id: family, name: family, from: "asked" } : null,
      counters: [],
      shares: [],
      over_time: null,
      notes: [],
      unread: { lines: 0, first: "", first_line: 0 },
    };
  }

  async survey(
    { machine, who, event }: SurveyOptions,
    { signal, onProgress }: TaskOptions = {},
  ): Promise<SurveyReport> {
    onProgress?.({ done: 1, total: 2, unit: "parts", rate: 1 });
    await this.#call(
      "survey",
      [machine?.name, who, event].filter((part) => part !== undefined).join(),
    );
    if (signal?.aborted) throw new EngineError("cancelled", "Cancelled.");
    return {
      samples: this.#trace.samples ?? 0,
      bytes: 1,
      nanoseconds: null,
      data: null,
      faults: null,
      code: null,
    };
  }

  async configure(setup: Setup): Promise<MachineView> {
    await this.#call("configure", `${setup.machine.name} ${setup.os.default}`);
    this.#setup = setup;
    return machineView(setup);
  }

  async run({ signal, onProgress }: TaskOptions = {}): Promise<RunReport> {
    onProgress?.({ done: 1, unit: "accesses", rate: 1 });
    await this.#call("run");
    if (signal?.aborted) throw new EngineError("cancelled", "Cancelled.");
    const whole = report(this.#trace.n_accesses);
    if (!this.#setup?.window) return whole;
    return { ...whole, trace: { ...whole.trace, part: true } };
  }

  async runWhole(
    { machine, os }: Setup,
    { signal, onProgress }: TaskOptions = {},
  ): Promise<RunReport> {
    onProgress?.({ done: 1, total: 2, unit: "accesses", rate: 1 });
    await this.#call("runWhole", `${machine.name} ${os.default}`);
    if (signal?.aborted) throw new EngineError("cancelled", "Cancelled.");
    return report(this.#trace.n_accesses);
  }

  runMany(
    setups: readonly Setup[],
    { signal, onOutcome }: ManyOptions = {},
  ): Promise<readonly WholeOutcome[]> {
    const run = async (setup: Setup, index: number): Promise<WholeOutcome> => {
      const outcome = await this.runWhole(setup, signal ? { signal } : {}).then(
        (report) => ({ index, report }),
        (thrown: unknown) => {
          if (!(thrown instanceof EngineError) || thrown.code === "cancelled")
            throw thrown;
          return { index, error: thrown };
        },
      );
      onOutcome?.(outcome);
      return outcome;
    };
    return Promise.all(setups.map(run));
  }

  /** A spec is the number of its rows. */
  async sweepRows(spec: string): Promise<number> {
    await this.#call("sweepRows", spec);
    return Number(spec);
  }

  async sweep(
    _spec: string,
    rows: readonly number[],
    { signal, onRow }: SweepOptions = {},
  ): Promise<readonly RowOutcome[]> {
    const outcomes: RowOutcome[] = [];
    for (const row of rows) {
      await this.#call("row", row);
      if (signal?.aborted) throw new EngineError("cancelled", "Cancelled.");
      const outcome = { row, line: `{"row":${row},"axes":{}}` };
      onRow?.(outcome);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  async sweepTable(lines: string): Promise<string> {
    await this.#call("sweepTable");
    return lines;
  }

  /** Every answer that this engine gives by the question. */
  readonly answers = new Map<string, unknown>();

  async analyse<Q extends Question>(
    question: Q,
    { signal, onProgress }: TaskOptions = {},
  ): Promise<AnswerTo<Q>> {
    onProgress?.({ done: 1, total: 2, unit: "parts", rate: 1 });
    await this.#call("analyse", question.what);
    if (signal?.aborted) throw new EngineError("cancelled", "Cancelled.");
    return this.answers.get(question.what) as AnswerTo<Q>;
  }

  async openPair(left: Setup, right: Setup): Promise<PairView> {
    await this.#call("openPair", `${left.machine.name} ${right.machine.name}`);
    const one = report(this.#trace.n_accesses);
    return {
      machines: [machineView(left), machineView(right)],
      reports: [one, one],
    };
  }

  async seekPair(index: number): Promise<PairSteps> {
    await this.#call("seekPair", index);
    const { step } = snapshot(index);
    return [step, step];
  }

  /** Every fifth access differs. */
  async findDifference(
    index: number,
    direction: 1 | -1,
  ): Promise<number | null> {
    await this.#call("findDifference", `${index} ${direction}`);
    const next =
      direction === 1
        ? (Math.floor(index / 5) + 1) * 5
        : Math.ceil(index / 5) * 5 - 5;
    return next >= 0 && next < this.#trace.n_accesses ? next : null;
  }

  async comparePair(): Promise<LockstepView> {
    await this.#call("comparePair");
    const to = this.#trace.n_accesses;
    // Only these are looked at here.
    return { from: 0, to, differing: 0, listed: [] } as unknown as LockstepView;
  }

  async pairRegions(): Promise<PairRegions> {
    await this.#call("pairRegions");
    const { regions } = await this.attribution();
    return [regions, regions];
  }

  async seek(index: number, core?: number): Promise<Snapshot> {
    const of = core === undefined ? "" : ` core ${core}`;
    await this.#call("seek", `${index}${of}`);
    const shown = snapshot(index);
    const used = [...this.firstOf].filter(([, first]) => first <= index);
    const cores = used.map(([core]) => ({
      core,
      active: false,
      pid: null,
      in_use: [],
    }));
    return {
      ...shown,
      step: { ...shown.step, ...(cores.length > 0 && { cores }) },
      ...(core !== undefined && { core }),
    };
  }

  async find(
    index: number,
    direction: 1 | -1,
    target: Target,
  ): Promise<number | null> {
    await this.#call("find", `${index} ${direction} ${target.what}`);
    const next =
      direction === 1
        ? (Math.floor(index / 3) + 1) * 3
        : Math.ceil(index / 3) * 3 - 3;
    return next >= 0 && next < this.#trace.n_accesses ? next : null;
  }

  async attribution(): Promise<AttributionView> {
    await this.#call("attribution");
    const none = {
      accesses: 0,
      l1_misses: 0,
      walks: 0,
      faults: 0,
      walk_cycles: 0,
    };
    const table = { rows: [], n_others: 0, others: none };
    return {
      total: { ...none, accesses: this.#trace.n_accesses },
      regions: table,
      pages: table,
      instructions: table,
      symbols: table,
      without_instruction: none,
    };
  }

  async timeline(
    from: number,
    to: number,
    bins: number,
    _rows: number,
    only?: AccessFilter,
  ): Promise<Timeline> {
    const what = only ? ` ${only.by} ${only.start}` : "";
    await this.#call("timeline", `${from} ${to} ${bins}${what}`);
    // Only the window is looked at here.
    return { view: { from, to, bins } } as Timeline;
  }

  async crash(): Promise<never> {
    await this.#call("crash");
    throw new EngineError("crashed", "The simulator stopped.");
  }

  /** As the real one: what `restore` would give. */
  restored(): Recovery {
    if (!this.#setup) return { outcome: "lost" };
    return {
      outcome: "restored",
      trace: this.#trace,
      setup: this.#setup,
      machine: machineView(this.#setup),
      report: report(this.#trace.n_accesses),
    };
  }

  recovery(): Promise<Recovery | undefined> {
    return Promise.resolve(this.nextRecovery);
  }

  dispose(): void {
    this.log.push("dispose");
  }
}

function experiment(id: string): ExperimentInfo {
  return {
    id,
    title: `The ${id}`,
    question: "Is it so?",
    sources: [],
    machine: "",
    policy: "",
    method: "",
  };
}

function cpu(id: string, name: string): CpuModel {
  return {
    id,
    name,
    vendor: "",
    provenance: [],
    variants: [],
    machine: {
      name,
      l1: [{ name: "L1", entries: 64, ways: 4 }],
      l2: [],
      inclusion: "nine",
      psc: {},
      latency: { l2_hit: 7, walk_overhead: 0 },
      memory: { data: false, caches: [], dram: 200 },
      walkers: 1,
      seed: 1,
    },
  };
}

function machineView({ machine, os }: Setup): MachineView {
  return {
    name: `${machine.name} ${os.default}`,
    structures: [STRUCTURE],
    virt: "native",
    tables: "x86",
    levels: 4,
    host_levels: null,
    va_bits: 48,
    walkers: 1,
    offset_bits: 12,
    page_sizes: ["4K", "2M", "1G"],
    memory: [],
  };
}

function view(name: string, n: number): TraceView {
  return {
    name,
    n_accesses: n,
    fetch: n,
    load: 0,
    store: 0,
    threads: 3,
    cpus: 1,
    retained_bytes: n,
    regions: [],
    import: {
      format: "csv",
      completeness: "complete",
      records: n,
      accesses: n,
      operations: 0,
      skipped: [],
      pages_4k: { fetch: 1, data: 0 },
      warnings: [],
    },
  };
}

function report(n: number): RunReport {
  const none = { translations: 0, l1_hits: 0, l2_hits: 0, walks: 0 };
  return {
    trace: {
      accesses: n,
      translations: n,
      fetch: n,
      load: 0,
      store: 0,
      prefetch: 0,
      completeness: "complete",
    },
    kinds: { fetch: none, load: none, store: none, prefetch: none },
    structures: [],
    walks: {
      walks: 0,
      refs: 0,
      guest_refs: 0,
      host_refs: 0,
      psc: [],
      served_by: [],
      ad_updates: 0,
    },
    faults: {
      minor: 0,
      major: 0,
      first_touch: 0,
      shared: 0,
      copy_on_write: 0,
      swap_in: 0,
      hidden: 0,
      bus_errors: 0,
    },
    memory: {
      map: "none",
      mapped_bytes: 0,
      shared_bytes: 0,
      table_bytes: 0,
      pretouched_pages: 0,
    },
    regions: [],
    system: {
      promotions: 0,
      promoted_pages: 0,
      demotions: 0,
      failed_promotions: 0,
      reused_pages: 0,
      shootdowns: 0,
      dropped_entries: 0,
    },
    pages: {},
    cycles: { l2_hit: 0, walk: 0, total: 0 },
    exceptions: {
      general_protection: 0,
      page_faults: {},
      ept_misconfigurations: 0,
    },
    invalidations: {
      ops: {},
      switches: 0,
      tlb_entries: 0,
      walk_cache_entries: 0,
      host_entries: 0,
    },
  };
}

function snapshot(index: number): Snapshot {
  return {
    columns: [],
    step: {
      index,
      access: {
        kind: "load",
        address: "0x0",
        size: 1,
        pid: 0,
        tid: 0,
        cpu: 0,
        ip: null,
      },
      translations: [],
      outcome: index % 3 === 0 ? "walk" : "l1-hit",
      in_use: [],
      table_pages: 0,
      root: "0x0",
      exception: null,
      before: [],
      after: [],
    },
  };
}

const STRUCTURE: StructureView = {
  name: "L1",
  role: "l1",
  serves: ["load"],
  pages: ["4K"],
  sets: 1,
  ways: 4,
  index: "low-bits",
  replacement: "lru",
  inside: null,
};

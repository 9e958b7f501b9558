/** A fake engine that answers immediately and records its calls. */
import { REPORT } from "../model/measure/report";
import type { RecordedView } from "../../src/engine/generated/RecordedView";
import type {
  AnswerTo,
  Args,
  CallName,
  ManyOptions,
  Name,
  OneOf,
  Outcome,
  Result,
  TaskName,
} from "../../src/engine/calls";
import type { Recovery, RecoveringEngine } from "../../src/engine/client";
import { EngineError } from "../../src/engine/engine";
import type {
  EngineErrorCode,
  Setup,
  Target,
  TaskOptions,
  Timeline,
} from "../../src/engine/engine";
import type { Ask } from "../../src/engine/generated/Ask";
import { DEFAULT_OS } from "../../src/engine/generated/defaults";
import type { ExerciseView } from "../../src/engine/generated/ExerciseView";
import type { LockstepView } from "../../src/engine/generated/LockstepView";
import type { Question } from "../../src/engine/generated/Question";
import { TASKS } from "../../src/engine/schedule";
import {
  cpu,
  experiment,
  experimentResult,
  machineView,
  oracle,
  report,
  snapshot,
  view,
} from "./fakeData";

/** The text after the name of a call in the log. */
const DETAILS: { readonly [N in Name]?: (args: Args<N>) => string | number } = {
  compareChase: ({ samples, every_page }) =>
    `${samples.stride}${every_page ? ", with every page" : ""}`,
  peek: ({ request: { name, format, list } }) =>
    [name, format, list?.base].join(" "),
  open: ({ name }) => name,
  import: ({ name }) => name,
  export: ({ format }) => format,
  checkWorkload: ({ id }) => id,
  generate: ({ id }) => id,
  experiment: ({ id }) => id,
  measure: ({ family = "any", cpu = "", run }) =>
    `${family} ${cpu} ${run?.trace.accesses ?? "-"}${run?.trace.part ? " of a part" : ""}`,
  survey: ({ machine, who, event }) =>
    [machine?.name, who, event].filter((part) => part !== undefined).join(),
  configure: ({ machine, os }) => `${machine.name} ${os.default}`,
  runWhole: ({ machine, os }) => `${machine.name} ${os.default}`,
  sweepRows: ({ spec }) => spec,
  runRow: ({ row }) => row,
  analyse: ({ what }) => what,
  openPair: ({ left, right }) => `${left.machine.name} ${right.machine.name}`,
  seekPair: ({ index }) => index,
  ask: ({ at, ask }) => `${at} ${ask.kind}`,
  answer: ({ at, ask, given }) => `${at} ${ask.kind} ${given}`,
  findDifference: ({ index, direction }) => `${index} ${direction}`,
  seek: ({ index, core }) =>
    core === undefined ? index : `${index} core ${core}`,
  find: ({ index, direction, target }) =>
    `${index} ${direction} ${target.what === "page" ? `${target.exact ? "" : "page of "}${target.address}` : target.what}`,
  timeline: ({ from, to, bins, only }) =>
    `${from} ${to} ${bins}${only ? ` ${only.by} ${"start" in only ? only.start : ""}` : ""}`,
};

/** The pages of a recording whose name says that it has huge ones. */
const HUGE: RecordedView = {
  others: "4K",
  n_ranges: 1,
  ranges: [{ start: "0x200000", end: "0x400000", pages: "2M" }],
};

export class FakeEngine implements RecoveringEngine {
  readonly log: string[] = [];
  /** Errors by name of a call: the next call of this name fails with the error. */
  readonly failures = new Map<string, EngineError>();
  /** The addresses of the first accesses, for a search; a page has 4 KiB. */
  addresses: readonly string[] = [];
  /** A test can replace this function, which gets each call, to throw an error. */
  inspect: (name: Name) => void = () => {};
  /** Bytes that a workload may access. */
  workloadBytes = 1;
  /** Calls that wait until the test releases them, by name. */
  readonly held = new Map<string, Promise<void>>();
  /** Threads with a core of their own, by the access that is their first. */
  readonly firstOf = new Map<number, number>();
  /** Answers to questions, by what they ask. */
  readonly answers = new Map<string, unknown>();
  /** The accesses of an import whose parts come while they are made. */
  nParts = 0;
  /** The options of the newest import. */
  imported: object | undefined;
  nextRecovery: Recovery | undefined;
  #trace = view("", 0);
  #setup: Setup | undefined;

  failNext(call: Name, code: EngineErrorCode, field?: string): void {
    const at = field === undefined ? undefined : { field };
    this.failures.set(call, new EngineError(code, `${call} failed.`, at));
  }

  /** Holds calls of this name. The returned function releases them. */
  hold(call: Name): () => void {
    let release = () => {};
    this.held.set(call, new Promise((resolve) => (release = resolve)));
    return () => {
      this.held.delete(call);
      release();
    };
  }

  async call<N extends CallName>(name: N, args: Args<N>): Promise<Result<N>> {
    await this.#record(name, args);
    return this.#results[name](args);
  }

  start<Q extends Question>(
    name: "analyse",
    args: Q,
    options?: TaskOptions,
  ): Promise<AnswerTo<Q>>;
  start<N extends TaskName>(
    name: N,
    args: Args<N>,
    options?: TaskOptions,
  ): Promise<Result<N>>;
  async start<N extends TaskName>(
    name: N,
    args: Args<N>,
    { signal, onProgress }: TaskOptions = {},
  ): Promise<Result<N>> {
    const total = name === "run" ? {} : { total: 2 };
    onProgress?.({ done: 1, ...total, unit: "accesses", rate: 1 });
    await this.#record(name, args);
    if (signal?.aborted) throw new EngineError("cancelled", "Cancelled.");
    return this.#results[name](args);
  }

  async many<N extends TaskName>(
    name: N,
    list: readonly OneOf<N>[],
    { signal, onOutcome }: ManyOptions<N> = {},
  ): Promise<readonly Outcome<N>[]> {
    const run = async (one: OneOf<N>, index: number): Promise<Outcome<N>> => {
      const args = { ...one, hash: "" } as unknown as Args<N>;
      const outcome = await this.start(
        name,
        args,
        signal ? { signal } : {},
      ).then(
        (result) => ({ index, result }),
        (thrown: unknown) => {
          if (!(thrown instanceof EngineError) || thrown.code === "cancelled")
            throw thrown;
          return { index, error: thrown };
        },
      );
      onOutcome?.(outcome);
      return outcome;
    };
    if (!TASKS[name].isRow) return Promise.all(list.map(run));
    const outcomes: Outcome<N>[] = [];
    for (const [index, one] of list.entries())
      outcomes.push(await run(one, index));
    return outcomes;
  }

  /** Like the real engine, it returns the result of `restore`. */
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

  async #record<N extends Name>(name: N, args: Args<N>): Promise<void> {
    this.log.push(`${name} ${String(DETAILS[name]?.(args) ?? "")}`.trim());
    await this.held.get(name);
    this.inspect(name);
    const failure = this.failures.get(name);
    this.failures.delete(name);
    if (failure) throw failure;
  }

  /** Returns the nearest multiple of `n` after or before an access of the trace. */
  #next(n: number, index: number, direction: 1 | -1): number | null {
    const next =
      direction === 1
        ? (Math.floor(index / n) + 1) * n
        : Math.ceil(index / n) * n - n;
    return next >= 0 && next < this.#trace.n_accesses ? next : null;
  }

  #nextAt(
    index: number,
    direction: 1 | -1,
    { address, exact }: Extract<Target, { what: "page" }>,
  ): number | null {
    const part = (of: string) => (exact ? of : of.slice(0, -3));
    const fits = (of: string, at: number) =>
      part(of) === part(address) && (at - index) * direction > 0;
    const found =
      direction === 1
        ? this.addresses.findIndex(fits)
        : this.addresses.findLastIndex(fits);
    return found === -1 ? null : found;
  }

  #attribution(): Result<"attribution"> {
    const none = {
      accesses: 0,
      l1_misses: 0,
      walks: 0,
      faults: 0,
      exceptions: 0,
      l2_hit_cycles: 0,
      l2_miss_cycles: 0,
      walk_cycles: 0,
    };
    const table = { rows: [], n_others: 0, others: none, unknown: none };
    return {
      total: { ...none, accesses: this.#trace.n_accesses },
      regions: table,
      pages: table,
      instructions: table,
      objects: table,
      lines: table,
      symbols: table,
      calls: { nodes: [], n_others: 0, others: none, unknown: none },
    };
  }

  readonly #results: {
    readonly [N in Name]: (args: Args<N>) => Result<N>;
  } = {
    cpus: () => [
      cpu("intel-skylake-sp", "Skylake-SP"),
      cpu("amd-zen2", "Zen 2"),
    ],
    open: ({ file, name }) => (this.#trace = view(name, file.size)),
    prefetch: () => null,
    compareChase: () => REPORT,
    describe: () => (this.#trace = { ...this.#trace, recorded: HUGE }),
    // Each instruction of 16 bytes is a line.
    sourceAt: ({ ip }) => ({
      function: "main",
      file: "main.c",
      line: Number(ip) >> 4,
      lines: [],
    }),
    crash: () => {
      throw new EngineError("crashed", "The simulator stopped.");
    },
    // A file is a list without open questions, unless its name says that it is ambiguous, or the output of perf stat.
    peek: ({ request: { name = "", list, select } }) => {
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
      if (name.startsWith("maps"))
        return {
          ...nothing,
          problem: { code: "memory-map", message: "no accesses" },
        };
      return {
        ...nothing,
        report: view(name, 3).import,
        list: {
          separator: "comma",
          columns: ["address"],
          base: list?.base ?? "decimal",
          base_is_guessed: name.includes("guess") && list?.base === undefined,
          rows: [],
        },
      };
    },
    import: ({ file: from, name, limit, format, list, select }) => {
      // The test makes the parts of a port before the import begins.
      const file = from instanceof Blob ? from : { size: this.nParts };
      this.imported = { limit, format, list, select };
      // The name says whether it has samples, and whether these are all that it has.
      const n = name.endsWith(".cycles.data") ? 0 : file.size;
      const samples = name.endsWith(".data") ? { samples: file.size } : {};
      const recorded = name.includes("huge") ? { recorded: HUGE } : {};
      return (this.#trace = { ...view(name, n), ...samples, ...recorded });
    },
    save: () => {
      const { name, n_accesses: n } = this.#trace;
      return { file: new Blob(["x".repeat(n)]), hash: `hash of ${name}` };
    },
    export: ({ format }) => ({
      file: new Blob([format]),
      lost: [{ what: "sizes", count: 3 }],
    }),
    workloads: () => [
      { id: "uniform", name: "Uniform", about: "", params: [] },
    ],
    // A trace has as many accesses as its parameter says, else 100.
    checkWorkload: ({ params }) => ({
      errors: [],
      accesses: Number(params["accesses"] ?? 100),
      bytes: this.workloadBytes,
    }),
    generate: ({ id, params }) =>
      (this.#trace = view(id, Number(params["accesses"] ?? 100))),
    oracles: () => [oracle(2), oracle(30)],
    verify: ({ number }) => {
      if (number === 30)
        throw new EngineError("bad-config", "its machine is wrong");
      return { ...oracle(number), checks: [], agrees: true };
    },
    experiments: () => ["first", "second"].map(experiment),
    experiment: ({ id }) => experimentResult(id),
    checkMachine: ({ l1 }) =>
      l1.length > 0
        ? []
        : [{ code: "bad-config", message: "No array.", at: { field: "l1" } }],
    measure: ({ text, family }) => ({
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
    }),
    survey: () => ({
      samples: this.#trace.samples ?? 0,
      bytes: 1,
      nanoseconds: null,
      data: null,
      faults: null,
      code: null,
    }),
    configure: (setup) => machineView((this.#setup = setup)),
    run: () => {
      const whole = report(this.#trace.n_accesses);
      if (!this.#setup?.window) return whole;
      return { ...whole, trace: { ...whole.trace, part: true } };
    },
    runWhole: () => report(this.#trace.n_accesses),
    // A spec is the number of its rows.
    sweepRows: ({ spec }) => Number(spec),
    runRow: ({ row }) => `{"row":${row},"axes":{}}`,
    sweepTable: ({ lines }) => lines,
    analyse: ({ what }) => this.answers.get(what) as Result<"analyse">,
    openPair: ({ left, right }) => {
      const one = report(this.#trace.n_accesses);
      return {
        machines: [machineView(left), machineView(right)],
        reports: [one, one],
      };
    },
    // The right answer to every question is 3.
    ask: ({ at, ask, choices = 0 }) => ({
      ask,
      at,
      address: "0x3d4",
      access: "load",
      page: "0xf",
      array: "TLB",
      form: choices > 0 ? "choice" : "decimal",
      choices: ["1", "3", "0xf", "20"].slice(0, choices),
    }),
    answer: ({ given }) => ({
      right: given === "3",
      answer: "3",
      ...(given === "0xf" && { mistake: "page-for-set" as const }),
    }),
    // An exercise asks one question for each of its own, at access 6 and the ones after it.
    exercise: ({ text }) => {
      const file = JSON.parse(text) as Partial<ExerciseView>;
      const { id, machine } = cpu("intel-skylake-sp", "Skylake-SP");
      const { title = "", questions = [] } = file;
      if (title === "newer")
        throw new EngineError("unsupported", "version 9 of exercises");
      return {
        hints: true,
        locked: [],
        trace: { lines: "load 0x3d4" },
        ...file,
        digest: "0123456789ab",
        title,
        cpu: id,
        machine,
        os: file.os ?? DEFAULT_OS,
        questions,
        asked: questions.length,
      };
    },
    exerciseQuestions: ({ text }) => {
      const { questions = [] } = JSON.parse(text) as Partial<ExerciseView>;
      return questions.map(({ ask }, at) => ({
        question: at + 1,
        posed: this.#results.ask({ at: 6 + at, ask, seed: 0 }),
      }));
    },
    exerciseLine: ({ name }) => `PW1.${name}`,
    // A line `PW1.Ada` has one answer, 0xf; other lines are no answers.
    gradeExercise: ({ files }) => {
      const ask: Ask = { kind: "set", of: "TLB" };
      const names = files.map(({ name: file, text }) => {
        const [, name] = /PW1\.(\w+)/.exec(text) ?? [];
        return { file, name };
      });
      const students = names.flatMap(({ file, name }) =>
        name === undefined
          ? []
          : [
              {
                file,
                line: 1,
                label: "",
                name,
                name_key: name.toLowerCase(),
                program: "1",
                right: 0,
                answers: [
                  {
                    question: 1,
                    at: 6,
                    given: "0xf",
                    tries: 1,
                    seconds: 1,
                    right: false,
                    answer: "3",
                    mistake: "page-for-set" as const,
                  },
                ],
              },
            ],
      );
      const n = students.length;
      return {
        title: "Sets",
        exercise: "0123456789ab",
        students,
        questions: [
          {
            question: 1,
            ask,
            answers: n,
            right: 0,
            mistakes: n > 0 ? { "page-for-set": n } : {},
            unexplained: 0,
          },
        ],
        unread: names
          .filter(({ name }) => name === undefined)
          .map(({ file }) => ({
            file,
            line: 1,
            start: "?",
            error: { code: "unknown-format" as const, message: "no answers" },
          })),
      };
    },
    seekPair: ({ index }) => {
      const { step } = snapshot(index);
      return [step, step];
    },
    // Every fifth access differs.
    findDifference: ({ index, direction }) => this.#next(5, index, direction),
    comparePair: () => {
      const to = this.#trace.n_accesses;
      // The code under test uses only these fields.
      return {
        from: 0,
        to,
        differing: 0,
        listed: [],
      } as unknown as LockstepView;
    },
    pairRegions: () => {
      const { regions } = this.#attribution();
      return [regions, regions];
    },
    seek: ({ index, core }) => {
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
    },
    find: ({ index, direction, target }) =>
      target.what === "page"
        ? this.#nextAt(index, direction, target)
        : this.#next(3, index, direction),
    attribution: () => this.#attribution(),
    // The code under test uses only the window.
    timeline: ({ from, to, bins }) =>
      ({ view: { from, to, bins } }) as Timeline,
  };
}

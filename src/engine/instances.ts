/**
 * The wasm instances, and what each call does on them.
 *
 * The app opens with a small module; what that cannot do waits for the whole one. The trace and the
 * machine are those of the session whose trace was made last.
 */
import type { Answers } from "./answers";
import { EngineError } from "./engine";
import type { ExportedTrace, Setup } from "./engine";
import * as jobs from "./jobs";
import type { AttributionView } from "./generated/AttributionView";
import type { RunReport } from "./generated/RunReport";
import type { TraceView } from "./generated/TraceView";
import { Mirror } from "./mirror";
import { Pairs } from "./pairs";
import type { Call, Calls } from "./protocol";
import type { FirstSession, Modules, WasmModule, WasmSession } from "./wasm";

export type Result = Calls[Call["type"]]["result"];

/** What a job does, at once or in slices. */
export type Work = () => Result | jobs.Slices<Result>;

/** The whole module once it is loaded, and its session. */
interface Whole {
  readonly module: WasmModule;
  readonly session: WasmSession;
}

/** Calls that are more than work on an instance, or that the module answers without a session. */
type Apart =
  | "import"
  | "open"
  | "peek"
  | "checkWorkload"
  | "sweepRows"
  | "sweepTable"
  | "eventFamilies"
  | "measure"
  | "prefetch";

export class Instances {
  readonly #modules: Modules;
  readonly #onWhole: () => void;
  /** The session that has the current trace. */
  #current: FirstSession;
  #whole: Whole | undefined;
  #loading: Promise<Whole> | undefined;
  /** What was configured last. */
  #setup: Setup | undefined;
  readonly #pairs = new Pairs();
  /** What the whole module has of a trace that the small one replays. */
  readonly #mirror = new Mirror();
  #nStructures = 0;

  /** `onWhole` is called when the whole module is there. */
  constructor(modules: Modules, onWhole: () => void) {
    this.#modules = modules;
    this.#onWhole = onWhole;
    this.#current = modules.first.newSession();
  }

  isWhole(): boolean {
    return this.#whole !== undefined;
  }

  /** Bytes of the larger of the memories. */
  memoryBytes(): number {
    return Math.max(
      this.#modules.first.memoryBytes(),
      this.#whole?.module.memoryBytes() ?? 0,
    );
  }

  work(call: Exclude<Call, { type: Apart }>): Work {
    switch (call.type) {
      case "cpus":
        return () => jobs.cpus(this.#whole?.module ?? this.#modules.first);
      case "save":
        return () => jobs.save(this.#current);
      case "export":
        return () => this.#export(call);
      case "workloads":
        return () => jobs.workloads(this.loaded().module);
      case "generate":
        return () => this.#generate(call);
      case "experiments":
        return () => jobs.experiments(this.loaded().module);
      case "experiment":
        return () => jobs.experiment(this.loaded().session, call);
      case "survey":
        return () => jobs.survey(this.#sampled(), call);
      case "configure":
        return () => {
          const machine = jobs.configure(this.#current, call);
          this.#setup = call.setup;
          this.#nStructures = machine.structures.length;
          return machine;
        };
      case "run":
        return () => jobs.run(this.#current);
      case "seek":
        return () => jobs.seek(this.#current, call, this.#nStructures);
      case "find":
        return () => jobs.find(this.#current, call);
      case "timeline":
        return () => jobs.timeline(this.#current, call);
      case "attribution":
        return () => this.#attribute();
      case "runWhole":
        return () => this.#runWhole(call);
      case "runRow":
        return () => this.#runRow(call);
      case "analyse":
        return () => this.#analyse(call);
      case "openPair":
        return () => this.#pairs.open(this.loaded(), this.#current, call);
      case "seekPair":
        return () => this.#pairs.seek(call);
      case "findDifference":
        return () => this.#pairs.find(call);
      case "comparePair":
        return () => this.#pairs.compare(call);
      case "pairRegions":
        return () => this.#pairs.regions();
      case "crash":
        return () => {
          this.#current.crash();
          throw new Error("The module survived a trap.");
        };
    }
  }

  /** Loads the whole module, once; after a failure another call tries again. */
  load(): Promise<Whole> {
    this.#loading ??= this.#modules.whole().then(
      (module) => {
        this.#whole = { module, session: module.newSession() };
        this.#onWhole();
        return this.#whole;
      },
      (thrown: unknown) => {
        this.#loading = undefined;
        throw thrown;
      },
    );
    return this.#loading;
  }

  loaded(): Whole {
    if (!this.#whole) throw new Error("A job did not wait for the module.");
    return this.#whole;
  }

  /** The session of the current trace, if that can have samples: the small module reads none. */
  #sampled(): WasmSession {
    const { session } = this.loaded();
    if (session === this.#current) return session;
    throw new EngineError(
      "bad-trace",
      "the trace has no samples: it is a list of accesses",
    );
  }

  /** Makes a trace in a session, on the machine that was configured last; then it is the current one. */
  #becomeCurrent<T>(session: FirstSession, make: () => T): T {
    this.#configureAs(session);
    this.#pairs.close();
    const made = make();
    this.#mirror.drop();
    this.#current = session;
    return made;
  }

  #configureAs(session: FirstSession): void {
    if (session !== this.#current && this.#setup)
      session.configure(JSON.stringify(this.#setup));
  }

  *#generate(call: Call<"generate">): jobs.Slices<TraceView> {
    const { session } = this.loaded();
    this.#configureAs(session);
    const trace = yield* jobs.generate(session, call);
    this.#pairs.close();
    this.#mirror.drop();
    this.#current = session;
    return trace;
  }

  /** Work of the whole module: on the session that has the trace, or on a copy of it where the small one has it. */
  *#onTrace<T>(work: (session: WasmSession) => jobs.Slices<T>): jobs.Slices<T> {
    const { module, session } = this.loaded();
    return session === this.#current
      ? yield* work(session)
      : yield* this.#mirror.lend(module, this.#current, work);
  }

  #export(call: Call<"export">): jobs.Slices<ExportedTrace> {
    return this.#onTrace(function* (session) {
      try {
        return yield* jobs.exportTrace(session, call);
      } finally {
        session.cancelExport();
      }
    });
  }

  #attribute(): jobs.Slices<AttributionView> {
    return this.#onTrace((session) => {
      this.#configureAs(session);
      return jobs.attribution(session, this.#current.runPosition());
    });
  }

  /** Runs on the trace as it is now: whatever is asked meanwhile may change it. */
  #runWhole(call: Call<"runWhole">): jobs.Slices<RunReport> {
    return this.#onTrace(function* (session) {
      try {
        return yield* jobs.runWhole(session, call);
      } finally {
        session.cancelWhole();
      }
    });
  }

  #runRow(call: Call<"runRow">): jobs.Slices<string> {
    return this.#onTrace(function* (session) {
      try {
        return yield* jobs.runRow(session, call);
      } finally {
        session.cancelRow();
      }
    });
  }

  #analyse(call: Call<"analyse">): jobs.Slices<Answers[keyof Answers]> {
    return this.#onTrace((session) => jobs.analyse(session, call));
  }

  /** A trace that ships with the app: the small module reads it, until the whole one is there. */
  openSaved(name: string, bytes: Uint8Array): TraceView {
    const session = this.#whole?.session ?? this.#current;
    return this.#becomeCurrent(session, () =>
      jobs.openSaved(session, name, bytes),
    );
  }

  finishImport(): TraceView {
    const { session } = this.loaded();
    return this.#becomeCurrent(session, () => jobs.finishImport(session));
  }

  cancelImport(): void {
    this.#whole?.session.cancelImport();
  }

  /** What a call that was cancelled has made so far is not kept. */
  abandon(type: Call["type"]): void {
    if (type === "generate") this.loaded().session.cancelGenerate();
    if (type === "experiment") this.loaded().session.cancelExperiment();
    if (type === "survey") this.loaded().session.cancelSurvey();
  }
}

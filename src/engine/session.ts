/**
 * Serves requests on wasm instances, in whichever thread: one job after the other in slices,
 * imports beside them. It knows no worker and no promise of the caller.
 *
 * The app opens with a small module; what that cannot do waits for the whole one. The trace and the
 * machine are those of the session whose trace was made last.
 */
import type { Answers } from "./answers";
import type { Circumstances, PlainError } from "./errors";
import { cancelled, isFatal, plainError } from "./errors";
import { EngineError } from "./engine";
import type { ExportedTrace, Progress, Setup } from "./engine";
import { peekAt, readInto, unpacked } from "./importing";
import { letsIn, needsWhole } from "./jobOrder";
import * as jobs from "./jobs";
import type { AttributionView } from "./generated/AttributionView";
import type { RunReport } from "./generated/RunReport";
import type { TraceView } from "./generated/TraceView";
import { Mirror } from "./mirror";
import { Pairs } from "./pairs";
import type { Call, Calls, Reply, Request } from "./protocol";
import { Meter, Pacer } from "./slices";
import type { FirstSession, Modules, WasmModule, WasmSession } from "./wasm";

type Result = Calls[Call["type"]]["result"];

interface Job {
  readonly call: Call;
  readonly work: () => Result | jobs.Slices<Result>;
  cancelled: boolean;
}

/** The whole module once it is loaded, and its session. */
interface Whole {
  readonly module: WasmModule;
  readonly session: WasmSession;
}

export class Session {
  readonly #modules: Modules;
  /** The session that has the current trace. */
  #current: FirstSession;
  #whole: Whole | undefined;
  #loading: Promise<Whole> | undefined;
  /** What was configured last. */
  #setup: Setup | undefined;
  readonly #pairs = new Pairs();
  /** What the whole module has of a trace that the small one replays. */
  readonly #mirror = new Mirror();
  readonly #post: (reply: Reply) => void;
  readonly #panic: () => string | undefined;
  #waiting: Job[] = [];
  /** What runs, the last; the others wait inside their slices until it is done. */
  #underWay: Job[] = [];
  #import: { readonly id: number; cancelled: boolean } | undefined;
  #imports: Promise<void> = Promise.resolve();
  #nStructures = 0;
  #dead = false;

  /** `panic` gives what the panic hook was told last. */
  constructor(
    modules: Modules,
    post: (reply: Reply) => void,
    panic: () => string | undefined,
  ) {
    this.#modules = modules;
    this.#current = modules.first.newSession();
    this.#post = post;
    this.#panic = panic;
  }

  receive(request: Request): void {
    if (this.#dead) return;
    switch (request.type) {
      case "cancel":
        this.#cancel(request.id);
        break;
      case "import":
        this.#startImport(request);
        break;
      case "seek":
      case "seekPair":
      case "timeline":
        // Only the newest is of interest: the picture of an older one would be drawn over at once.
        this.#drop(request.type);
        this.#enqueue(request, this.#work(request));
        break;
      case "checkWorkload":
        // It asks the module, not the session: a form need not wait for a run.
        void this.#finish(
          request.id,
          this.#load().then(({ module }) =>
            jobs.checkWorkload(module, request),
          ),
        );
        break;
      case "sweepRows":
        void this.#finish(
          request.id,
          this.#load().then(({ module }) => module.sweepRows(request.spec)),
        );
        break;
      case "sweepTable":
        void this.#finish(
          request.id,
          this.#load().then(({ module }) => module.sweepTable(request.lines)),
        );
        break;
      case "eventFamilies":
        void this.#finish(
          request.id,
          this.#load().then(({ module }) => jobs.eventFamilies(module)),
        );
        break;
      case "measure":
        void this.#finish(
          request.id,
          this.#load().then(({ module }) => jobs.measure(module, request)),
        );
        break;
      case "peek":
        void this.#finish(
          request.id,
          this.#load().then(({ module }) => peekAt(module, request)),
        );
        break;
      case "prefetch":
        void this.#finish(
          request.id,
          this.#load().then(() => null),
        );
        break;
      case "open":
        this.#open(request);
        break;
      case "cpus":
      case "save":
      case "export":
      case "workloads":
      case "generate":
      case "experiments":
      case "experiment":
      case "survey":
      case "configure":
      case "run":
      case "find":
      case "attribution":
      case "runWhole":
      case "runRow":
      case "analyse":
      case "openPair":
      case "findDifference":
      case "comparePair":
      case "pairRegions":
      case "crash":
        this.#enqueue(request, this.#work(request));
    }
  }

  #work(
    call: Exclude<
      Call,
      {
        type:
          | "import"
          | "open"
          | "peek"
          | "checkWorkload"
          | "sweepRows"
          | "sweepTable"
          | "eventFamilies"
          | "measure"
          | "prefetch";
      }
    >,
  ): Job["work"] {
    switch (call.type) {
      case "cpus":
        return () => jobs.cpus(this.#whole?.module ?? this.#modules.first);
      case "save":
        return () => jobs.save(this.#current);
      case "export":
        return () => this.#export(call);
      case "workloads":
        return () => jobs.workloads(this.#loaded().module);
      case "generate":
        return () => this.#generate(call);
      case "experiments":
        return () => jobs.experiments(this.#loaded().module);
      case "experiment":
        return () => jobs.experiment(this.#loaded().session, call);
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
        return () => this.#pairs.open(this.#loaded(), this.#current, call);
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

  #enqueue(call: Call, work: Job["work"]): void {
    this.#waiting.push({ call, work, cancelled: false });
    if (needsWhole(call) && !this.#whole)
      this.#load().catch((thrown: unknown) =>
        this.#refuse((job) => needsWhole(job.call), thrown),
      );
    if (this.#underWay.length === 0) void this.#serve();
  }

  /** Those of the jobs that are `wanted`, until none is left. */
  async #serve(wanted: (call: Call) => boolean = () => true): Promise<void> {
    for (
      let job = this.#next(wanted);
      job && !this.#dead;
      job = this.#next(wanted)
    ) {
      this.#underWay.push(job);
      await this.#finish(job.call.id, this.#perform(job));
      this.#underWay.pop();
    }
  }

  /** The next job: those for the whole module let others pass until it is there. */
  #next(wanted: (call: Call) => boolean): Job | undefined {
    const at = this.#waiting.findIndex(
      ({ call }) =>
        wanted(call) && (this.#whole !== undefined || !needsWhole(call)),
    );
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  /** Loads the whole module, once; after a failure another call tries again. */
  #load(): Promise<Whole> {
    this.#loading ??= this.#modules.whole().then(
      (module) => {
        this.#whole = { module, session: module.newSession() };
        if (this.#underWay.length === 0) void this.#serve();
        return this.#whole;
      },
      (thrown: unknown) => {
        this.#loading = undefined;
        throw thrown;
      },
    );
    return this.#loading;
  }

  #loaded(): Whole {
    if (!this.#whole) throw new Error("A job did not wait for the module.");
    return this.#whole;
  }

  /** The session of the current trace, if that can have samples: the small module reads none. */
  #sampled(): WasmSession {
    const { session } = this.#loaded();
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
    const { session } = this.#loaded();
    this.#configureAs(session);
    const trace = yield* jobs.generate(session, call);
    this.#pairs.close();
    this.#mirror.drop();
    this.#current = session;
    return trace;
  }

  /** Work of the whole module: on the session that has the trace, or on a copy of it where the small one has it. */
  *#onTrace<T>(work: (session: WasmSession) => jobs.Slices<T>): jobs.Slices<T> {
    const { module, session } = this.#loaded();
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
  #open(call: Call<"open">): void {
    const read = unpacked(call.file).then(
      (bytes) =>
        this.#enqueue(call, () => {
          const session = this.#whole?.session ?? this.#current;
          return this.#becomeCurrent(session, () =>
            jobs.openSaved(session, call.name, bytes),
          );
        }),
      (thrown: unknown) => this.#fail(call.id, this.#plain(thrown)),
    );
    void read;
  }

  async #perform(job: Job): Promise<Result> {
    const meter = this.#meter(job.call.id);
    const pacer = new Pacer();
    const work = job.work();
    if (!isSliced(work)) return work;
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (step.value) meter.tell(step.value);
      await pacer.pause();
      if (job.cancelled) {
        // What was made so far is not kept.
        if (job.call.type === "generate")
          this.#loaded().session.cancelGenerate();
        if (job.call.type === "experiment")
          this.#loaded().session.cancelExperiment();
        if (job.call.type === "survey") this.#loaded().session.cancelSurvey();
        // Whatever a generator holds is let go.
        work.return(undefined as never);
        throw cancelled();
      }
      await this.#serve((call) => letsIn(job.call, call));
      // An instance that trapped meanwhile must not be used again.
      if (this.#dead) throw cancelled();
    }
  }

  #startImport(call: Call<"import">): void {
    // There is one importer: a new file takes the place of one that is still being read.
    if (this.#import) this.#import.cancelled = true;
    const token = { id: call.id, cancelled: false };
    this.#import = token;
    this.#imports = this.#imports.then(() => this.#read(call, token));
  }

  async #read(
    call: Call<"import">,
    token: { id: number; cancelled: boolean },
  ): Promise<void> {
    const meter = this.#meter(call.id);
    const isCancelled = () => token.cancelled || this.#dead;
    try {
      if (isCancelled()) throw cancelled();
      const { session } = await this.#load();
      await readInto(session, call, isCancelled, (progress) =>
        meter.tell(progress),
      );
    } catch (thrown) {
      if (!this.#dead) this.#abandonImport(call.id, thrown);
      return;
    }
    // The current trace is replaced between two jobs, not inside one.
    this.#enqueue(call, () => {
      if (isCancelled()) {
        // The importer may belong to a newer file by now.
        if (this.#import === token) this.#loaded().session.cancelImport();
        throw cancelled();
      }
      if (this.#import !== token) throw cancelled();
      const { session } = this.#loaded();
      return this.#becomeCurrent(session, () => jobs.finishImport(session));
    });
  }

  #abandonImport(id: number, thrown: unknown): void {
    const error = this.#plain(thrown);
    if (!isFatal(error)) this.#whole?.session.cancelImport();
    this.#fail(id, error);
  }

  async #finish(id: number, result: Promise<Result>): Promise<void> {
    try {
      const value = await result;
      if (!this.#dead) this.#post({ type: "done", id, result: value });
    } catch (thrown) {
      if (!this.#dead) this.#fail(id, this.#plain(thrown));
    }
  }

  #fail(id: number, error: PlainError): void {
    if (isFatal(error)) this.#dead = true;
    this.#post({ type: "failed", id, error });
  }

  #cancel(id: number): void {
    for (const job of this.#underWay)
      if (job.call.id === id) job.cancelled = true;
    if (this.#import?.id === id) this.#import.cancelled = true;
    this.#refuse((job) => job.call.id === id && job.call.type !== "import");
  }

  #drop(type: Call["type"]): void {
    this.#refuse((job) => job.call.type === type);
    if (type !== "timeline") return;
    for (const job of this.#underWay)
      if (job.call.type === type) job.cancelled = true;
  }

  #refuse(unwanted: (job: Job) => boolean, why: unknown = cancelled()): void {
    const refused = this.#waiting.filter(unwanted);
    this.#waiting = this.#waiting.filter((job) => !unwanted(job));
    for (const { call } of refused)
      this.#post({
        type: "failed",
        id: call.id,
        error: this.#plain(why),
      });
  }

  #meter(id: number): Meter {
    return new Meter((progress: Progress) =>
      this.#post({ type: "progress", id, progress }),
    );
  }

  #plain(thrown: unknown): PlainError {
    const circumstances: Circumstances = {
      memoryBytes: Math.max(
        this.#modules.first.memoryBytes(),
        this.#whole?.module.memoryBytes() ?? 0,
      ),
      panic: this.#panic(),
    };
    return plainError(thrown, circumstances);
  }
}

function isSliced(
  work: Result | jobs.Slices<Result>,
): work is jobs.Slices<Result> {
  return typeof work === "object" && work !== null && "next" in work;
}

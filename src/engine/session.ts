/**
 * Serves requests on wasm instances, in whichever thread: one job after the other in slices,
 * imports beside them. It knows no worker and no promise of the caller.
 */
import type { Circumstances, PlainError } from "./errors";
import { cancelled, isFatal, plainError } from "./errors";
import type { Progress } from "./engine";
import { peekAt, readInto, unpacked } from "./importing";
import { Instances } from "./instances";
import type { Result, Work } from "./instances";
import { letsIn, needsWhole } from "./jobOrder";
import * as jobs from "./jobs";
import type { Call, Reply, Request } from "./protocol";
import { Meter, Pacer } from "./slices";
import type { Modules, WasmModule } from "./wasm";

interface Job {
  readonly call: Call;
  readonly work: Work;
  cancelled: boolean;
}

export class Session {
  readonly #instances: Instances;
  readonly #post: (reply: Reply) => void;
  readonly #panic: () => string | undefined;
  #waiting: Job[] = [];
  /** What runs, the last; the others wait inside their slices until it is done. */
  #underWay: Job[] = [];
  #import: { readonly id: number; cancelled: boolean } | undefined;
  #imports: Promise<void> = Promise.resolve();
  #dead = false;

  /** `panic` gives what the panic hook was told last. */
  constructor(
    modules: Modules,
    post: (reply: Reply) => void,
    panic: () => string | undefined,
  ) {
    this.#instances = new Instances(modules, () => this.#wake());
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
        this.#enqueue(request, this.#instances.work(request));
        break;
      // These ask the module, not a session: a form need not wait for a run.
      case "checkWorkload":
        this.#ask(request.id, (module) => jobs.checkWorkload(module, request));
        break;
      case "sweepRows":
        this.#ask(request.id, (module) => module.sweepRows(request.spec));
        break;
      case "sweepTable":
        this.#ask(request.id, (module) => module.sweepTable(request.lines));
        break;
      case "eventFamilies":
        this.#ask(request.id, jobs.eventFamilies);
        break;
      case "measure":
        this.#ask(request.id, (module) => jobs.measure(module, request));
        break;
      case "peek":
        this.#ask(request.id, (module) => peekAt(module, request));
        break;
      case "prefetch":
        this.#ask(request.id, () => null);
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
        this.#enqueue(request, this.#instances.work(request));
    }
  }

  #ask(
    id: number,
    answer: (module: WasmModule) => Result | Promise<Result>,
  ): void {
    const answered = this.#instances
      .load()
      .then(({ module }) => answer(module));
    void this.#finish(id, answered);
  }

  #enqueue(call: Call, work: Work): void {
    this.#waiting.push({ call, work, cancelled: false });
    if (needsWhole(call) && !this.#instances.isWhole())
      this.#instances
        .load()
        .catch((thrown: unknown) =>
          this.#refuse((job) => needsWhole(job.call), thrown),
        );
    this.#wake();
  }

  #wake(): void {
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
        wanted(call) && (this.#instances.isWhole() || !needsWhole(call)),
    );
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  #open(call: Call<"open">): void {
    const read = unpacked(call.file).then(
      (bytes) =>
        this.#enqueue(call, () => this.#instances.openSaved(call.name, bytes)),
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
        this.#instances.abandon(job.call.type);
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
      const { session } = await this.#instances.load();
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
        if (this.#import === token) this.#instances.cancelImport();
        throw cancelled();
      }
      if (this.#import !== token) throw cancelled();
      return this.#instances.finishImport();
    });
  }

  #abandonImport(id: number, thrown: unknown): void {
    const error = this.#plain(thrown);
    if (!isFatal(error)) this.#instances.cancelImport();
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
      memoryBytes: this.#instances.memoryBytes(),
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

/**
 * Serves requests on one wasm instance, in whichever thread: one job after the other in slices,
 * imports beside them. It knows no worker and no promise of the caller.
 */
import type { Circumstances, PlainError } from "./errors";
import { cancelled, isFatal, plainError } from "./errors";
import type { Progress } from "./engine";
import { readInto } from "./importing";
import * as jobs from "./jobs";
import type { Call, Calls, Reply, Request } from "./protocol";
import { Meter, Pacer } from "./slices";
import type { WasmModule, WasmSession } from "./wasm";

type Result = Calls[Call["type"]]["result"];

interface Job {
  readonly call: Call;
  readonly work: () => Result | jobs.Slices<Result>;
  cancelled: boolean;
}

export class Session {
  readonly #module: WasmModule;
  readonly #session: WasmSession;
  readonly #post: (reply: Reply) => void;
  readonly #panic: () => string | undefined;
  #waiting: Job[] = [];
  #running: Job | undefined;
  #import: { readonly id: number; cancelled: boolean } | undefined;
  #imports: Promise<void> = Promise.resolve();
  #nStructures = 0;
  #dead = false;

  /** `panic` gives what the panic hook was told last. */
  constructor(
    module: WasmModule,
    post: (reply: Reply) => void,
    panic: () => string | undefined,
  ) {
    this.#module = module;
    this.#session = module.newSession();
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
      case "timeline":
        // Only the newest is of interest: the picture of an older one would be drawn over at once.
        this.#drop(request.type);
        this.#enqueue(request, this.#work(request));
        break;
      case "checkWorkload":
        // It asks the module, not the session: a form need not wait for a run.
        void this.#finish(
          request.id,
          Promise.resolve().then(() =>
            jobs.checkWorkload(this.#module, request),
          ),
        );
        break;
      case "cpus":
      case "workloads":
      case "generate":
      case "experiments":
      case "experiment":
      case "configure":
      case "run":
      case "find":
      case "crash":
        this.#enqueue(request, this.#work(request));
    }
  }

  #work(
    call: Exclude<Call, { type: "import" | "checkWorkload" }>,
  ): Job["work"] {
    const session = this.#session;
    switch (call.type) {
      case "cpus":
        return () => jobs.cpus(this.#module);
      case "workloads":
        return () => jobs.workloads(this.#module);
      case "generate":
        return () => jobs.generate(session, call);
      case "experiments":
        return () => jobs.experiments(this.#module);
      case "experiment":
        return () => jobs.experiment(session, call);
      case "configure":
        return () => {
          const machine = jobs.configure(session, call);
          this.#nStructures = machine.structures.length;
          return machine;
        };
      case "run":
        return () => jobs.run(session);
      case "seek":
        return () => jobs.seek(session, call, this.#nStructures);
      case "find":
        return () => jobs.find(session, call);
      case "timeline":
        return () => jobs.timeline(session, call);
      case "crash":
        return () => {
          session.crash();
          throw new Error("The module survived a trap.");
        };
    }
  }

  #enqueue(call: Call, work: Job["work"]): void {
    this.#waiting.push({ call, work, cancelled: false });
    if (!this.#running) void this.#serve();
  }

  async #serve(): Promise<void> {
    for (
      let job = this.#waiting.shift();
      job && !this.#dead;
      job = this.#waiting.shift()
    ) {
      this.#running = job;
      await this.#finish(job.call.id, this.#perform(job));
    }
    this.#running = undefined;
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
        if (job.call.type === "generate") this.#session.cancelGenerate();
        if (job.call.type === "experiment") this.#session.cancelExperiment();
        throw cancelled();
      }
      if (letsSeeksIn(job.call)) await this.#serveSeek();
    }
  }

  /** A seek need not wait for the end of a long search. */
  async #serveSeek(): Promise<void> {
    const seek = this.#waiting.find(({ call }) => call.type === "seek");
    if (!seek) return;
    this.#waiting = this.#waiting.filter((job) => job !== seek);
    await this.#finish(seek.call.id, this.#perform(seek));
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
      await readInto(this.#session, call, isCancelled, (progress) =>
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
        if (this.#import === token) this.#session.cancelImport();
        throw cancelled();
      }
      if (this.#import !== token) throw cancelled();
      return jobs.finishImport(this.#session);
    });
  }

  #abandonImport(id: number, thrown: unknown): void {
    const error = this.#plain(thrown);
    if (!isFatal(error)) this.#session.cancelImport();
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
    if (this.#running?.call.id === id) this.#running.cancelled = true;
    if (this.#import?.id === id) this.#import.cancelled = true;
    this.#refuse((job) => job.call.id === id && job.call.type !== "import");
  }

  #drop(type: Call["type"]): void {
    this.#refuse((job) => job.call.type === type);
    const running = this.#running;
    if (type === "timeline" && running?.call.type === type)
      running.cancelled = true;
  }

  #refuse(unwanted: (job: Job) => boolean): void {
    const refused = this.#waiting.filter(unwanted);
    this.#waiting = this.#waiting.filter((job) => !unwanted(job));
    for (const { call } of refused)
      this.#post({
        type: "failed",
        id: call.id,
        error: this.#plain(cancelled()),
      });
  }

  #meter(id: number): Meter {
    return new Meter((progress: Progress) =>
      this.#post({ type: "progress", id, progress }),
    );
  }

  #plain(thrown: unknown): PlainError {
    const circumstances: Circumstances = {
      memoryBytes: this.#module.memoryBytes(),
      panic: this.#panic(),
    };
    return plainError(thrown, circumstances);
  }
}

/** Searches, timelines and experiments work on machines of their own; a run works on the one that seeks move. */
function letsSeeksIn({ type }: Call): boolean {
  return type === "find" || type === "timeline" || type === "experiment";
}

function isSliced(
  work: Result | jobs.Slices<Result>,
): work is jobs.Slices<Result> {
  return typeof work === "object" && work !== null && "next" in work;
}

/**
 * Serves requests on the wasm modules, in any thread. The session runs one job after the other in slices, and reads
 * imports between the slices. `schedule.ts` has the rules of the order.
 */
import { decode, progressOf } from "./binding";
import type { Modules, WasmModule, WasmSession, WasmTask } from "./binding";
import type { Name, Result, TaskName } from "./calls";
import { cancelled, isFatal, plainError, unloaded } from "./errors";
import type { PlainError } from "./errors";
import { headOf, unpacked } from "./importing";
import type { readInto } from "./readInto";
import type { Call, Reply, Request } from "./protocol";
import { CALLS, isTask, ruleOf, TASKS } from "./schedule";
import { Meter, Pacer, Slicer } from "./slices";

/** A call in the form that the binding takes. */
interface Given {
  readonly name: Name;
  /** JSON. */
  readonly args: string;
  readonly bytes: Uint8Array;
}

interface Job extends Given {
  readonly id: number;
  /** The task of an import that has read its file. */
  task?: WasmTask;
  readonly abort: AbortController;
}

/** The whole module, once it is loaded, and its session. */
interface Whole {
  readonly module: WasmModule;
  readonly session: WasmSession;
  readonly readInto: typeof readInto;
}

const NO_BYTES = new Uint8Array();

/** The accesses of the first slice, and the limits of the later ones. */
const slicer = () => new Slicer(1 << 16, 1 << 10, 1 << 26);

export class Session {
  readonly #modules: Modules;
  readonly #post: (reply: Reply) => void;
  readonly #panic: () => string | undefined;
  /** The session of the small module, until the whole module takes over. */
  #current: WasmSession;
  #whole: Whole | undefined;
  #loading: Promise<Whole> | undefined;
  /** The calls that the whole module repeats when it takes over, by name, the newest last. */
  readonly #lasting = new Map<Name, Given>();
  #waiting: Job[] = [];
  /** The last job runs. The others wait between two slices until it is done. */
  #underWay: Job[] = [];
  /** The import whose file is being read. */
  #import: Job | undefined;
  #imports: Promise<void> = Promise.resolve();
  #dead = false;

  /** `panic` returns the last message of the panic hook. */
  constructor(
    modules: Modules,
    post: (reply: Reply) => void,
    panic: () => string | undefined,
  ) {
    this.#modules = modules;
    this.#current = modules.small.newSession();
    this.#post = post;
    this.#panic = panic;
  }

  receive(request: Request): void {
    if (this.#dead) return;
    if (request.type === "cancel") {
      this.#cancel(request.id);
      return;
    }
    const { id, name } = request;
    if (request.name === "import") this.#startImport(request);
    else if (!isTask(name) && CALLS[name].needs === "module")
      void this.#finish(id, this.#answer(request));
    else if (!isTask(name) && CALLS[name].reads)
      void this.#given(request).then(
        (given) => this.#enqueue(jobOf(id, given)),
        (thrown: unknown) => this.#fail(id, this.#plain(thrown)),
      );
    else this.#enqueue(jobOf(id, given(name, request.args)));
  }

  /** Answers a call that needs only the module immediately, so that a form need not wait for a run. */
  async #answer(call: Call): Promise<Result> {
    const isSmall = ruleOf(call.name).isSmall ?? false;
    const session = isSmall ? this.#current : (await this.#load()).session;
    if (call.name === "prefetch") return null;
    const { name, args, bytes } = await this.#given(call);
    return decode(session.call(name, args, bytes));
  }

  /** Reads the part of its file that the call needs. */
  async #given({ name, args }: Call): Promise<Given> {
    if (!("file" in args && args.file instanceof Blob))
      return given(name, args);
    const { file, ...rest } = args;
    if (!isTask(name) && CALLS[name].reads === "all")
      return given(name, rest, await unpacked(file));
    const { bytes, isWhole } = await headOf(file);
    return given(name, { ...rest, is_whole: isWhole }, bytes);
  }

  #enqueue(job: Job): void {
    const { latest } = ruleOf(job.name);
    // An older call of this name is cancelled, because its picture would be replaced immediately.
    if (latest) this.#drop(({ name }) => name === job.name);
    if (latest === "all")
      for (const other of this.#underWay)
        if (other.name === job.name) other.abort.abort();
    this.#waiting.push(job);
    if (!isSmall(job))
      this.#load().catch((thrown: unknown) =>
        this.#drop((waiting) => !isSmall(waiting), thrown),
      );
    this.#wake();
  }

  /** Loads the whole module once, and what reads files into it. After a failure, another call tries again. */
  #load(): Promise<Whole> {
    this.#loading ??= Promise.all([
      this.#modules.whole(),
      import("./readInto").catch(unloaded),
    ]).then(
      ([module, { readInto: read }]) => {
        const session = module.newSession();
        this.#whole = { module, session, readInto: read };
        this.#wake();
        return this.#whole;
      },
      (thrown: unknown) => {
        this.#loading = undefined;
        throw thrown;
      },
    );
    return this.#loading;
  }

  #wake(): void {
    if (this.#underWay.length === 0 && !this.#dead) void this.#serve();
  }

  /**
   * Replaces the small module with the whole one, between two jobs. The whole module gets the trace and the machine.
   */
  #takeOver(): void {
    if (!this.#whole || this.#isWhole()) return;
    const { session } = this.#whole;
    try {
      for (const { name, args, bytes } of this.#lasting.values())
        if (isTask(name)) finish(session.start(name, args));
        else session.call(name, args, bytes);
      this.#current.free();
      this.#current = session;
      this.#lasting.clear();
    } catch (thrown) {
      this.#die();
      this.#post({ type: "dead", error: this.#plain(thrown) });
    }
  }

  #isWhole(): boolean {
    return this.#current === this.#whole?.session;
  }

  /** Runs the waiting jobs that are `wanted`, until none is left. */
  async #serve(wanted: (name: Name) => boolean = () => true): Promise<void> {
    for (;;) {
      if (this.#underWay.length === 0) this.#takeOver();
      const job = this.#dead ? undefined : this.#next(wanted);
      if (!job) return;
      this.#underWay.push(job);
      await this.#finish(job.id, this.#execute(job));
      this.#underWay.pop();
    }
  }

  /** Returns the next job. Jobs for the whole module let others go first until the module is loaded. */
  #next(wanted: (name: Name) => boolean): Job | undefined {
    const at = this.#waiting.findIndex(
      (job) => wanted(job.name) && (this.#isWhole() || isSmall(job)),
    );
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  async #execute(job: Job): Promise<Result> {
    const { name, args, bytes } = job;
    const result = isTask(name)
      ? await this.#pump(job, name)
      : decode(this.#current.call(name, args, bytes));
    if (ruleOf(name).lasts && !this.#isWhole()) {
      this.#lasting.delete(name);
      this.#lasting.set(name, { name, args, bytes });
    }
    return result;
  }

  /** Runs a task slice by slice, and lets other jobs run between two slices. */
  async #pump(job: Job, name: TaskName): Promise<Result> {
    const { passes, makes } = TASKS[name];
    const task = job.task ?? this.#current.start(name, job.args);
    const meter = this.#meter(job.id);
    const pacer = new Pacer();
    const slices = slicer();
    const parts: Blob[] = [];
    const stopIfCancelled = () => {
      if (job.abort.signal.aborted) throw cancelled();
    };
    try {
      stopIfCancelled();
      while (!slices.slice((size) => task.slice(size))) {
        const part = task.part();
        // The binding has copied the part into a new buffer. The browser may store the blob outside of memory.
        if (part) parts.push(new Blob([part as Uint8Array<ArrayBuffer>]));
        meter.report(() => progressOf(task));
        await pacer.pause();
        stopIfCancelled();
        await this.#serve(passes);
        // If the instance has trapped during the wait, it must not be used again.
        if (this.#dead) throw cancelled();
      }
      const result = decode(task.finish());
      if (makes === undefined) return result;
      return {
        ...(result as object),
        file: new Blob(parts, { type: makes }),
      } as Result;
    } finally {
      free(task);
    }
  }

  #startImport({ id, name, args }: Call<"import">): void {
    const { file, ...request } = args;
    const job = jobOf(id, given(name, request));
    // A new import cancels an import that is still reading its file.
    this.#import?.abort.abort();
    this.#import = job;
    this.#imports = this.#imports.then(() => this.#read(job, file));
  }

  async #read(job: Job, file: Blob | MessagePort): Promise<void> {
    const meter = this.#meter(job.id);
    const { signal } = job.abort;
    try {
      if (signal.aborted || this.#dead) throw cancelled();
      const { session, readInto: read } = await this.#load();
      job.task = session.start(job.name, job.args);
      await read(job.task, file, signal, (progress) =>
        meter.report(() => progress),
      );
    } catch (thrown) {
      if (this.#dead) return;
      if (job.task) free(job.task);
      this.#fail(job.id, this.#plain(thrown));
      return;
    }
    // The new trace becomes the current one between two jobs, not during one.
    this.#enqueue(job);
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
    if (isFatal(error)) this.#die();
    this.#post({ type: "failed", id, error });
  }

  /** After this, nothing calls the instance. */
  #die(): void {
    this.#dead = true;
    this.#import?.abort.abort();
  }

  #cancel(id: number): void {
    for (const job of this.#underWay) if (job.id === id) job.abort.abort();
    if (this.#import?.id === id) this.#import.abort.abort();
    this.#drop((job) => job.id === id && job.name !== "import");
  }

  #drop(unwanted: (job: Job) => boolean, why: unknown = cancelled()): void {
    const dropped = this.#waiting.filter(unwanted);
    this.#waiting = this.#waiting.filter((job) => !unwanted(job));
    for (const { id } of dropped)
      this.#post({ type: "failed", id, error: this.#plain(why) });
  }

  #meter(id: number): Meter {
    return new Meter((progress) =>
      this.#post({ type: "progress", id, progress }),
    );
  }

  #plain(thrown: unknown): PlainError {
    const { small } = this.#modules;
    const whole = this.#whole?.module.memoryBytes() ?? 0;
    return plainError(thrown, {
      memoryBytes: Math.max(small.memoryBytes(), whole),
      panic: this.#panic(),
    });
  }
}

/**
 * Returns whether the small module can answer. It has no POM-TLBs, no TLB blocks, no hashed page tables, no prefetchers of TLB
 * entries, no masks, no costs of events, and no nested TLB inside an array.
 */
function isSmall({ name, args }: Given): boolean {
  return (
    !!ruleOf(name).isSmall &&
    !/"(pom_tlb|victima|ecpt|tlb_prefetch|xor-masks|event_costs)"|"nested_tlb":\{[^}]*"in":/.test(
      args,
    )
  );
}

function given(name: Name, args: object, bytes: Uint8Array = NO_BYTES): Given {
  return { name, args: JSON.stringify(args), bytes };
}

function jobOf(id: number, call: Given): Job {
  return { id, ...call, abort: new AbortController() };
}

/** Runs all slices of a task without a pause. */
function finish(task: WasmTask): void {
  while (!task.slice(1 << 26));
  task.finish();
  task.free();
}

function free(task: WasmTask): void {
  try {
    task.free();
  } catch {
    // A task that trapped cannot be freed. Its instance is not used again.
  }
}

/**
 * One task with many arguments, such as whole runs of many machines or rows of a sweep, spread over instances that each
 * have a copy of the trace. Instances are made when there is something to run, and let go when the trace changes or
 * after a while of nothing. One that traps is replaced: its run fails, the others go on.
 */
import type {
  Args,
  ManyOptions,
  OneOf,
  Outcome,
  Result,
  TaskName,
} from "./calls";
import { EngineError } from "./engine";
import type { SavedTrace, TaskOptions } from "./engine";
import { cancelled, isFatal } from "./errors";
import { TASKS } from "./schedule";
import { Meter } from "./slices";

/** The interface of an instance for the pool. */
export interface Runner {
  start<N extends TaskName>(
    name: N,
    args: Args<N>,
    options?: TaskOptions,
  ): Promise<Result<N>>;
  dispose(): void;
}

export interface PoolOptions {
  /** Starts an instance. */
  readonly make: () => Runner;
  /** The trace that is run. */
  readonly save: () => Promise<SavedTrace>;
  /** Instances at most. */
  readonly size: number;
  /** Milliseconds without a run after which they are let go. */
  readonly idleMs: number;
}

/** One run that was asked for. */
interface Task {
  /** Whether other tasks may go first. */
  readonly isPatient: boolean;
  /** Passes the result to the caller; rejects if the task failed. */
  readonly work: (runner: Runner, hash: string) => Promise<void>;
  readonly fail: (error: EngineError) => void;
}

/** Bytes that the copies of a trace may take together, and how much larger one is than its file, at most. */
const COPIES_BYTES = 1 << 30;
const UNPACKED = 3;

export class RunPool {
  readonly #options: PoolOptions;
  #waiting: Task[] = [];
  #saved: Promise<SavedTrace> | undefined;
  /** The instances that run a task; `#idle` has the others. */
  readonly #busy = new Set<Runner>();
  #idle: Runner[] = [];
  /** Grows when everything is let go. */
  #age = 0;
  #nServing = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * One outcome for each of the arguments, in their order; `onOutcome` is called with each as it comes, unless
   * all is over.
   */
  async run<N extends TaskName>(
    name: N,
    list: readonly OneOf<N>[],
    { signal, onProgress, onOutcome }: ManyOptions<N> = {},
  ): Promise<readonly Outcome<N>[]> {
    const parts = list.map(() => 0);
    const meter = new Meter((progress) => onProgress?.(progress));
    const reportProgress = () =>
      meter.report(() => ({
        done: parts.reduce((sum, part) => sum + part, 0),
        total: list.length,
        unit: "parts",
      }));
    const runs = list.map((args, index) =>
      this.#enqueue(name, args, {
        ...(signal && { signal }),
        onProgress: ({ done, total }) => {
          parts[index] = total ? done / total : 0;
          reportProgress();
        },
      }).then(
        (result): Outcome<N> => ({ index, result }),
        (thrown: unknown): Outcome<N> => {
          const error = asError(thrown);
          if (error.code === "cancelled") throw error;
          return { index, error };
        },
      ),
    );
    void this.#serve();
    let isOver = false;
    const outcomes = runs.map(async (run, index) => {
      const outcome = await run;
      parts[index] = 1;
      if (isOver) throw cancelled();
      reportProgress();
      onOutcome?.(outcome);
      return outcome;
    });
    try {
      return await Promise.all(outcomes);
    } finally {
      isOver = true;
    }
  }

  /** Ends every run, and drops the trace. */
  letGo(): void {
    this.#age += 1;
    this.#saved = undefined;
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { fail } of waiting) fail(cancelled());
    for (const runner of [...this.#idle, ...this.#busy]) runner.dispose();
    this.#idle = [];
    this.#busy.clear();
    this.#nServing = 0;
  }

  #enqueue<N extends TaskName>(
    name: N,
    args: OneOf<N>,
    options: TaskOptions,
  ): Promise<Result<N>> {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(cancelled());
    const { isRow = false } = TASKS[name];
    let onAbort = () => {};
    const run = new Promise<Result<N>>((succeed, fail) => {
      const task: Task = {
        isPatient: isRow,
        work: async (runner, hash) => {
          // The arguments lack only the hash.
          const all = { ...args, ...(isRow && { hash }) } as Args<N>;
          succeed(await runner.start(name, all, options));
        },
        fail,
      };
      this.#waiting.push(task);
      // A task that is under way is cancelled by its instance.
      onAbort = () => {
        const isWaiting = this.#waiting.includes(task);
        this.#waiting = this.#waiting.filter((other) => other !== task);
        if (isWaiting) fail(cancelled());
      };
      signal?.addEventListener("abort", onAbort, { once: true });
    });
    return run.finally(() => signal?.removeEventListener("abort", onAbort));
  }

  /** The next to be run. */
  #take(): Task | undefined {
    const urgent = this.#waiting.findIndex(({ isPatient }) => !isPatient);
    const [task] = this.#waiting.splice(Math.max(0, urgent), 1);
    return task;
  }

  /** Starts as many instances as there is work for. */
  async #serve(): Promise<void> {
    if (this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    const age = this.#age;
    try {
      this.#saved ??= this.#options.save();
      const { file, hash } = await this.#saved;
      const fit = Math.floor(COPIES_BYTES / (UNPACKED * (file.size + 1)));
      const most = Math.max(1, Math.min(this.#options.size, fit));
      if (age !== this.#age) return;
      for (let n = this.#waiting.length; n > 0 && this.#nServing < most; n--)
        void this.#work(file, hash, age);
    } catch (thrown) {
      if (age !== this.#age) return;
      this.#saved = undefined;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const { fail } of waiting) fail(asError(thrown));
    }
  }

  /** One instance: a run after the other until none waits. */
  async #work(file: Blob, hash: string, age: number): Promise<void> {
    this.#nServing += 1;
    let runner = this.#idle.pop();
    for (;;) {
      const task = this.#take();
      if (!task) break;
      try {
        runner ??= await this.#open(file);
        if (age !== this.#age) throw cancelled();
        this.#busy.add(runner);
        await task.work(runner, hash);
      } catch (thrown) {
        const error = asError(thrown);
        task.fail(error);
        if (runner && isFatal(error)) {
          this.#busy.delete(runner);
          runner.dispose();
          runner = undefined;
        }
      }
      if (age !== this.#age) {
        runner?.dispose();
        return;
      }
    }
    this.#nServing -= 1;
    if (runner) {
      this.#busy.delete(runner);
      this.#idle.push(runner);
    }
    if (this.#nServing > 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.letGo(), this.#options.idleMs);
  }

  async #open(file: Blob): Promise<Runner> {
    const runner = this.#options.make();
    try {
      await runner.start("import", { file, name: "" });
      return runner;
    } catch (thrown) {
      runner.dispose();
      throw thrown;
    }
  }
}

function asError(thrown: unknown): EngineError {
  return thrown instanceof EngineError
    ? thrown
    : new EngineError("crashed", String(thrown));
}

/**
 * Runs one task with many arguments, such as whole runs of many machines or rows of a sweep. The runs are spread over
 * instances, each with a copy of the trace. Instances start when there is something to run. They are closed when the
 * trace changes, or after a while without a run. An instance that traps is replaced: its run fails, the others
 * continue.
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
  /** Returns the trace to run. */
  readonly save: () => Promise<SavedTrace>;
  /** The largest number of instances. */
  readonly size: number;
  /** The milliseconds without a run after which the instances are closed. */
  readonly idleMs: number;
}

/** A requested run. */
interface Task {
  /** Whether tasks of other kinds go first. */
  readonly isPatient: boolean;
  /** Runs the task and passes the result to the caller. Rejects if the task failed. */
  readonly work: (runner: Runner, hash: string) => Promise<void>;
  readonly fail: (error: EngineError) => void;
}

/** The bytes that all copies of a trace may take, and the largest ratio of a copy to its file. */
const COPIES_BYTES = 1 << 30;
const UNPACKED = 3;

export class RunPool {
  readonly #options: PoolOptions;
  #waiting: Task[] = [];
  #saved: Promise<SavedTrace> | undefined;
  /** The instances that run a task; `#idle` has the others. */
  readonly #busy = new Set<Runner>();
  #idle: Runner[] = [];
  /** The number of times that all instances were closed. */
  #age = 0;
  #nServing = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Returns one outcome for each of the arguments, in their order. `onOutcome` is called with each outcome as it
   * arrives, until the pool is closed.
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

  /** Ends every run, closes the instances, and drops the trace. */
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
          // Only the hash was missing in the arguments, so the cast is safe.
          const all = { ...args, ...(isRow && { hash }) } as Args<N>;
          succeed(await runner.start(name, all, options));
        },
        fail,
      };
      this.#waiting.push(task);
      // The instance cancels a task that is under way.
      onAbort = () => {
        const isWaiting = this.#waiting.includes(task);
        this.#waiting = this.#waiting.filter((other) => other !== task);
        if (isWaiting) fail(cancelled());
      };
      signal?.addEventListener("abort", onAbort, { once: true });
    });
    return run.finally(() => signal?.removeEventListener("abort", onAbort));
  }

  /** Returns the next task to run. */
  #take(): Task | undefined {
    const urgent = this.#waiting.findIndex(({ isPatient }) => !isPatient);
    const [task] = this.#waiting.splice(Math.max(0, urgent), 1);
    return task;
  }

  /** Starts instances, up to one for each waiting task. */
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

  /** Runs tasks on one instance, one after the other, until none waits. */
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

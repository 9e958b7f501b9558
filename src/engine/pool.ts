/**
 * Whole runs of many machines, spread over instances that each have the trace once. They are made
 * when there is something to run, and let go when the trace changes or after a while of nothing.
 * One that traps is replaced: its run fails, the others go on.
 */
import { EngineError } from "./engine";
import type {
  ManyOptions,
  Progress,
  SavedTrace,
  Setup,
  TaskOptions,
  WholeOutcome,
} from "./engine";
import { cancelled, isFatal } from "./errors";
import type { RunReport } from "./generated/RunReport";
import { Meter } from "./slices";

/** What the pool needs of an instance. */
export interface Runner {
  importFile(file: Blob, name: string): Promise<unknown>;
  runWhole(setup: Setup, options: TaskOptions): Promise<RunReport>;
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
  readonly setup: Setup;
  readonly options: TaskOptions;
  readonly succeed: (report: RunReport) => void;
  readonly fail: (error: EngineError) => void;
}

/** Bytes that the copies of a trace may take together, and how much larger one is than its file, at most. */
const COPIES_BYTES = 1 << 30;
const UNPACKED = 3;

export class RunPool {
  readonly #options: PoolOptions;
  #waiting: Task[] = [];
  #saved: Promise<SavedTrace> | undefined;
  /** Those that run something, and those that do not. */
  readonly #busy = new Set<Runner>();
  #idle: Runner[] = [];
  /** Grows when everything is let go. */
  #age = 0;
  #nServing = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** One outcome for each setup, in their order; `onOutcome` hears of each as it comes. */
  async run(
    setups: readonly Setup[],
    { signal, onOutcome, onProgress }: ManyOptions = {},
  ): Promise<readonly WholeOutcome[]> {
    const parts = setups.map(() => 0);
    const meter = new Meter((progress) => onProgress?.(progress));
    const tell = () =>
      meter.tell({
        done: parts.reduce((sum, part) => sum + part, 0),
        total: setups.length,
        unit: "parts",
      });
    const runs = setups.map((setup, index) =>
      this.#enqueue(setup, {
        ...(signal && { signal }),
        onProgress: ({ done, total }: Progress) => {
          parts[index] = total ? done / total : 0;
          tell();
        },
      }).then(
        (report): WholeOutcome => ({ index, report }),
        (thrown: unknown): WholeOutcome => {
          const error = asError(thrown);
          if (error.code === "cancelled") throw error;
          return { index, error };
        },
      ),
    );
    void this.#serve();
    let isOver = false;
    const told = runs.map(async (run, index) => {
      const outcome = await run;
      parts[index] = 1;
      if (!isOver) {
        tell();
        onOutcome?.(outcome);
      }
      return outcome;
    });
    try {
      return await Promise.all(told);
    } finally {
      isOver = true;
    }
  }

  /** Ends every run, and forgets the trace. */
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

  #enqueue(setup: Setup, options: TaskOptions): Promise<RunReport> {
    return new Promise((succeed, fail) => {
      const { signal } = options;
      const task: Task = { setup, options, succeed, fail };
      if (signal?.aborted) {
        fail(cancelled());
        return;
      }
      this.#waiting.push(task);
      // One that is under way hears of it from its instance.
      signal?.addEventListener(
        "abort",
        () => {
          const isWaiting = this.#waiting.includes(task);
          this.#waiting = this.#waiting.filter((other) => other !== task);
          if (isWaiting) fail(cancelled());
        },
        { once: true },
      );
    });
  }

  /** Starts as many instances as there is work for. */
  async #serve(): Promise<void> {
    if (this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    const age = this.#age;
    try {
      this.#saved ??= this.#options.save();
      const { file } = await this.#saved;
      const fit = Math.floor(COPIES_BYTES / (UNPACKED * (file.size + 1)));
      const most = Math.max(1, Math.min(this.#options.size, fit));
      if (age !== this.#age) return;
      for (let n = this.#waiting.length; n > 0 && this.#nServing < most; n--)
        void this.#work(file, age);
    } catch (thrown) {
      if (age !== this.#age) return;
      this.#saved = undefined;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const { fail } of waiting) fail(asError(thrown));
    }
  }

  /** One instance: a run after the other until none waits. */
  async #work(file: Blob, age: number): Promise<void> {
    this.#nServing += 1;
    let runner = this.#idle.pop();
    for (;;) {
      const task = this.#waiting.shift();
      if (!task) break;
      try {
        runner ??= await this.#open(file);
        if (age !== this.#age) throw cancelled();
        this.#busy.add(runner);
        task.succeed(await runner.runWhole(task.setup, task.options));
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
      await runner.importFile(file, "");
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

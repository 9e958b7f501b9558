/**
 * The engine over any transport. When its instance has crashed, the trace and the machine of the last good run
 * are restored in a new instance.
 */
import type {
  AnswerTo,
  Args,
  CallName,
  Engine,
  ManyOptions,
  Name,
  OneOf,
  Outcome,
  Result,
  TaskName,
} from "./calls";
import { Connection } from "./connection";
import type { Connect } from "./connection";
import type { Setup, TaskOptions, Workload } from "./engine";
import type { MachineView } from "./generated/MachineView";
import type { Question } from "./generated/Question";
import type { RunReport } from "./generated/RunReport";
import type { TraceView } from "./generated/TraceView";
import { RunPool } from "./pool";

/** The milliseconds without a run after which the instances for many runs are closed. */
const IDLE_MS = 30_000;

/** The result of a recovery: the new instance has the state of the last good run, or it is empty. */
export type Recovery =
  ({ readonly outcome: "restored" } & Restored) | { readonly outcome: "lost" };

/** The trace and the setup that the new instance got, and its machine and report. */
export interface Restored {
  readonly trace: TraceView;
  /** The workload, if the trace was generated. */
  readonly workload?: Workload;
  readonly setup: Setup;
  readonly machine: MachineView;
  readonly report: RunReport;
}

/** An engine that replaces an instance that crashed. */
export interface RecoveringEngine extends Engine {
  /** Settles when the instance that replaces a crashed one is ready; `undefined` if none crashed. */
  recovery(): Promise<Recovery | undefined>;
}

type Named<N extends Name> = {
  [K in N]: { readonly name: K; readonly args: Args<K> };
}[N];

/** The call that made the trace, to repeat it. Parts that were moved are made `again`. */
type Source = Named<"import" | "open" | "generate"> &
  Pick<TaskOptions, "again">;

/** A trace and a machine. A scene is good once a whole run of it has ended. */
interface Scene {
  readonly source: Source;
  readonly setup: Setup;
}

export class EngineClient implements RecoveringEngine {
  readonly #pool: RunPool;
  readonly #connection: Connection;
  #scene: Partial<Scene> = {};
  #good: Scene | undefined;
  #recovery: Promise<Recovery | undefined> = Promise.resolve(undefined);
  #restoring = false;

  /** `nRunners` is the number of further instances that may run machines, each with a copy of the trace. */
  constructor(connect: Connect, nRunners = 1) {
    this.#pool = new RunPool({
      make: () => new EngineClient(connect),
      save: () => this.start("save", {}),
      size: nRunners,
      idleMs: IDLE_MS,
    });
    this.#connection = new Connection(connect, () => this.#onReplaced());
  }

  call<N extends CallName>(name: N, args: Args<N>): Promise<Result<N>> {
    return this.#send(name, args);
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
  start<N extends TaskName>(
    name: N,
    args: Args<N>,
    options: TaskOptions = {},
  ): Promise<Result<N>> {
    return this.#send(name, args, options);
  }

  many<N extends TaskName>(
    name: N,
    list: readonly OneOf<N>[],
    options: ManyOptions<N> = {},
  ): Promise<readonly Outcome<N>[]> {
    return this.#pool.run(name, list, options);
  }

  recovery(): Promise<Recovery | undefined> {
    return this.#recovery;
  }

  dispose(): void {
    this.#pool.letGo();
    this.#connection.close();
  }

  /** Sends a call of the app, after a restoration that is under way. */
  async #send<N extends Name>(
    name: N,
    args: Args<N>,
    options: TaskOptions = {},
  ): Promise<Result<N>> {
    if (this.#restoring) await this.#recovery;
    const before = this.#scene;
    const result = await this.#connection.send(name, args, options);
    // A name comes with the arguments of its type.
    const { again } = options;
    const call = { name, args, ...(again && { again }) };
    this.#remember(call as unknown as Named<Name>, before);
    return result;
  }

  /** Records the effect of a call that has ended. `before` is the scene in which the call began. */
  #remember(call: Named<Name>, { source, setup }: Partial<Scene>): void {
    const { name } = call;
    if (name === "import" || name === "open" || name === "generate") {
      this.#scene = { ...this.#scene, source: call };
      this.#pool.letGo();
    } else if (name === "configure")
      this.#scene = { ...this.#scene, setup: call.args };
    else if (name === "run" && source && setup) this.#good = { source, setup };
  }

  #onReplaced(): void {
    // During a restoration, this crash only rejects the call of the restoration.
    if (this.#restoring) return;
    this.#restoring = true;
    this.#recovery = this.#restore();
  }

  async #restore(): Promise<Recovery> {
    const good = this.#good;
    // Runs on copies of the trace continue if the same trace was restored.
    if (good?.source !== this.#scene.source) this.#pool.letGo();
    this.#scene = {};
    this.#good = undefined;
    try {
      if (!good) return { outcome: "lost" };
      const { source, setup } = good;
      const args = argsAgain(source);
      if (!args) return { outcome: "lost" };
      const trace = await this.#connection.send(source.name, args);
      const machine = await this.#connection.send("configure", setup);
      const report = await this.#connection.send("run", {});
      this.#scene = good;
      this.#good = good;
      return {
        outcome: "restored",
        trace,
        ...(source.name === "generate" && { workload: source.args }),
        setup,
        machine,
        report,
      };
    } catch {
      // The restoration has crashed too. An empty instance is better than one that always crashes.
      return { outcome: "lost" };
    } finally {
      this.#restoring = false;
    }
  }
}

/** `undefined` if the parts of the file were moved, and it is not kept elsewhere. */
function argsAgain({ args, again }: Source): Source["args"] | undefined {
  const file = again?.();
  if (file) return { ...args, file };
  return "file" in args && !(args.file instanceof Blob) ? undefined : args;
}

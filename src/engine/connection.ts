/**
 * Sends calls over a transport and receives their answers. It numbers the calls and rebuilds errors. When the
 * instance dies, it opens a new one, unless the dead instance never started: then a new one would not start
 * either.
 */
import type { Args, Name, Result } from "./calls";
import type { EngineError, Progress, TaskOptions } from "./engine";
import { cancelled, isFatal, rebuild } from "./errors";
import type { PlainError } from "./errors";
import type { Call, Reply, Request } from "./protocol";

export interface Transport {
  post(request: Request): void;
  close(): void;
}

/** Starts a new instance, which sends all its messages to `receive`. */
export type Connect = (receive: (reply: Reply) => void) => Transport;

interface Pending {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: EngineError) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

export class Connection {
  readonly #connect: Connect;
  readonly #onReplaced: () => void;
  readonly #pending = new Map<number, Pending>();
  #transport: Transport;
  #nextId = 1;
  #isReady = false;
  #end: EngineError | undefined;

  /**
   * `onReplaced` is called when a new instance has replaced a dead one, after the calls of the dead one are rejected.
   */
  constructor(connect: Connect, onReplaced: () => void) {
    this.#connect = connect;
    this.#onReplaced = onReplaced;
    this.#transport = this.#open();
  }

  /** Sends a call. Rejects if the instance reports an error, and always after the connection has ended. */
  send<N extends Name>(
    name: N,
    args: Args<N>,
    { signal, onProgress }: TaskOptions = {},
  ): Promise<Result<N>> {
    if (this.#end) return Promise.reject(this.#end);
    if (signal?.aborted) return Promise.reject(cancelled());
    const id = this.#nextId++;
    const answer = new Promise<Result<N>>((resolve, reject) => {
      // The session answers a call with the result type of its name, so the cast is safe.
      const typed = resolve as Pending["resolve"];
      this.#pending.set(id, { resolve: typed, reject, onProgress });
    });
    // A name comes with the arguments of its type.
    this.#transport.post({ type: "call", id, name, args } as unknown as Call);
    const cancel = () => this.#transport.post({ type: "cancel", id });
    signal?.addEventListener("abort", cancel, { once: true });
    return answer.finally(() => signal?.removeEventListener("abort", cancel));
  }

  /** Ends the connection. Calls without an answer are rejected as cancelled. */
  close(): void {
    this.#end ??= cancelled();
    this.#transport.close();
    this.#rejectAll(this.#end);
  }

  #receive(reply: Reply): void {
    switch (reply.type) {
      case "started":
        break;
      case "ready":
        this.#isReady = true;
        break;
      case "progress":
        this.#pending.get(reply.id)?.onProgress?.(reply.progress);
        break;
      case "done":
        this.#take(reply.id)?.resolve(reply.result);
        break;
      case "failed":
        this.#take(reply.id)?.reject(rebuild(reply.error));
        if (isFatal(reply.error)) this.#replace(reply.error);
        break;
      case "dead":
        this.#replace(reply.error);
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #open(): Transport {
    this.#isReady = false;
    // Messages of an instance that was replaced are ignored.
    let transport: Transport | undefined = undefined;
    transport = this.#connect((reply) => {
      if (transport === undefined || transport === this.#transport)
        this.#receive(reply);
    });
    return transport;
  }

  #replace(error: PlainError): void {
    if (this.#end) return;
    const wasReady = this.#isReady;
    this.#transport.close();
    if (!wasReady) this.#end = rebuild(error);
    else this.#transport = this.#open();
    this.#rejectAll(rebuild(error));
    if (wasReady) this.#onReplaced();
  }

  #rejectAll(error: EngineError): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }
}

/**
 * The messages between the engine's client and the session, which may run in another thread: one request, any
 * number of progress messages, one answer.
 */
import type { Args, Name, Result } from "./calls";
import type { Progress } from "./engine";
import type { PlainError } from "./errors";

/** A call, with a number that its answer repeats. */
export type Call<N extends Name = Name> = {
  [K in N]: {
    readonly type: "call";
    readonly id: number;
    readonly name: K;
    readonly args: Args<K>;
  };
}[N];

export type Request = Call | { readonly type: "cancel"; readonly id: number };

export type Reply =
  /** The script runs, and holds its lock if the browser has locks. */
  | { readonly type: "started" }
  /** The module is compiled. Calls that were posted earlier are now served. */
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly id: number; readonly result: Result }
  | { readonly type: "failed"; readonly id: number; readonly error: PlainError }
  | {
      readonly type: "progress";
      readonly id: number;
      readonly progress: Progress;
    }
  /** The module could not be loaded or is unusable. No other message follows. */
  | { readonly type: "dead"; readonly error: PlainError };

/** Returns the port that a request moves to the session. */
export function portsOf(request: Request): MessagePort[] {
  return request.type === "call" &&
    request.name === "import" &&
    request.args.file instanceof MessagePort
    ? [request.args.file]
    : [];
}

/** Returns the buffers of a result that are moved and not copied. */
export function transferables(reply: Reply): ArrayBuffer[] {
  if (reply.type !== "done") return [];
  const { result } = reply;
  if (result === null || typeof result !== "object") return [];
  const parts: object[] = "columns" in result ? [...result.columns] : [result];
  // The content of a blob is not copied, so it needs no transfer.
  return parts
    .flatMap((part): unknown[] => Object.values(part))
    .filter((value) => ArrayBuffer.isView(value))
    .map(({ buffer }) => buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
}

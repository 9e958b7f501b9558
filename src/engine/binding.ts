/** The interface of the wasm modules. Arguments are JSON text; errors are thrown as plain objects. */
import type { Result } from "./calls";
import type { Progress } from "./engine";

/** JSON text, or typed arrays with all else as JSON text. */
export type Answer = string | ({ readonly json: string } & object);

export interface WasmSession {
  /** Answers a short call. `bytes` is the content of its file. */
  call(name: string, args: string, bytes: Uint8Array): Answer;
  start(name: string, args: string): WasmTask;
  /** Frees the memory of the session, which must not be used again. */
  free(): void;
}

/** A long call that is under way. */
export interface WasmTask {
  /** Simulates about this many accesses. Returns true when all work is done. */
  slice(maxAccesses: number): boolean;
  /** Reads the next bytes of a file. Returns true if the rest of the file is not needed. */
  push(bytes: Uint8Array): boolean;
  /** The part of a file that the last slice made. */
  part(): Uint8Array | undefined;
  /** Returns the progress as JSON, or `null`. */
  progress(): string;
  finish(): Answer;
  /** Ends the task at any point. The task must not be used again. */
  free(): void;
}

export interface WasmModule {
  newSession(): WasmSession;
  /** Size of the linear memory in bytes. */
  memoryBytes(): number;
}

/** The small module that the app opens with, and the whole module, which is fetched when it is needed. */
export interface Modules {
  readonly small: WasmModule;
  /** Loads the whole module. After a failure, another call tries again. */
  whole(): Promise<WasmModule>;
}

/** Returns the result of a call. The core writes exactly the JSON of its type. */
export function decode(answer: Answer): Result {
  if (typeof answer === "string") return JSON.parse(answer) as Result;
  const { json, ...columns } = answer;
  return { ...(JSON.parse(json) as object), ...columns } as Result;
}

export function progressOf(task: WasmTask): Omit<Progress, "rate"> | null {
  return JSON.parse(task.progress()) as Omit<Progress, "rate"> | null;
}

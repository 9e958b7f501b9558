/** The wasm modules as the binding makes them. JSON goes in as text; errors are thrown as plain objects. */
import type { Result } from "./calls";
import type { Progress } from "./engine";

/** JSON text, or typed arrays with all else as JSON text. */
export type Answer = string | ({ readonly json: string } & object);

export interface WasmSession {
  /** Answers a short call; `bytes` are those of its file. */
  call(name: string, args: string, bytes: Uint8Array): Answer;
  start(name: string, args: string): WasmTask;
  /** Gives back its memory; it must not be used again. */
  free(): void;
}

/** A long call that is under way. */
export interface WasmTask {
  /** Simulates about this many accesses; true when all is done. */
  slice(maxAccesses: number): boolean;
  /** Reads the next bytes of a file; true once the rest need not be read. */
  push(bytes: Uint8Array): boolean;
  /** The part of a file that the last slice made. */
  part(): Uint8Array | undefined;
  /** JSON: how far it is, or `null`. */
  progress(): string;
  finish(): Answer;
  /** Ends it wherever it is; it must not be used again. */
  free(): void;
}

export interface WasmModule {
  newSession(): WasmSession;
  /** Size of the linear memory in bytes. */
  memoryBytes(): number;
}

/** The module that the app opens with, and the one that can do everything, which is fetched when it is needed. */
export interface Modules {
  readonly small: WasmModule;
  /** After a failure another call tries again. */
  whole(): Promise<WasmModule>;
}

/** The result of a call: the core writes exactly the JSON of its type. */
export function decode(answer: Answer): Result {
  if (typeof answer === "string") return JSON.parse(answer) as Result;
  const { json, ...columns } = answer;
  return { ...(JSON.parse(json) as object), ...columns } as Result;
}

export function progressOf(task: WasmTask): Omit<Progress, "rate"> | null {
  return JSON.parse(task.progress()) as Omit<Progress, "rate"> | null;
}

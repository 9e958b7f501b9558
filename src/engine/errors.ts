/**
 * Converts errors of the wasm module. The core throws plain objects. After any other error (a trap, a RangeError of
 * the allocator), the instance must not be used again.
 */
import { EngineError } from "./engine";
import type { EngineErrorCode } from "./engine";
import type { Place } from "./generated/Place";
import { ERROR_CODES } from "./generated/words";
import type { Remedy } from "./generated/Remedy";

/** An error as a plain object for `postMessage`, which drops the fields of an `Error`. */
export interface PlainError {
  readonly code: EngineErrorCode;
  readonly message: string;
  readonly at?: Place;
  readonly remedy?: Remedy;
}

/** The facts about the instance at the time of an error. */
export interface Circumstances {
  /** Size of the linear memory in bytes. */
  readonly memoryBytes: number;
  /** The message of the panic hook, if it was called. */
  readonly panic: string | undefined;
}

/**
 * From this size on, a trap without a panic message counts as a failed allocation. Rust aborts without calling
 * the panic hook when the allocator fails. Browsers fail to grow a memory long before the 4 GiB that wasm32 can
 * address.
 */
const LARGE_MEMORY = 1 << 30;

const CORE_CODES: ReadonlySet<string> = new Set(ERROR_CODES);

export function cancelled(): EngineError {
  return new EngineError("cancelled", "Cancelled.");
}

/** Returns the text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Says that a file of the site cannot be fetched. */
export function unloaded(thrown: unknown): never {
  throw new EngineError(
    "unsupported",
    `This needs a part of the simulator that could not be loaded: ${messageOf(thrown)}. Check the connection and try again.`,
  );
}

export function rebuild(error: PlainError): EngineError {
  return new EngineError(error.code, error.message, error.at, error.remedy);
}

/** Returns whether the instance is unusable after this error. */
export function isFatal({ code }: Pick<PlainError, "code">): boolean {
  return code === "crashed" || code === "out-of-memory";
}

export function plainError(
  thrown: unknown,
  { memoryBytes, panic }: Circumstances,
): PlainError {
  if (isPlainError(thrown)) {
    const { code, message, at, remedy } = thrown;
    return {
      code,
      message,
      ...(at !== undefined && { at }),
      ...(remedy !== undefined && { remedy }),
    };
  }
  const text = messageOf(thrown);
  const noPanic = panic === undefined;
  const outOfMemory =
    /memory allocation|capacity overflow|out of memory|allocation failed|array length|could not allocate/i;
  if (
    outOfMemory.test(panic ?? text) ||
    (noPanic && memoryBytes >= LARGE_MEMORY && isTrap(thrown))
  )
    return {
      code: "out-of-memory",
      message: `The simulator ran out of memory; it held ${megabytes(memoryBytes)} MB.`,
    };
  return {
    code: "crashed",
    message: `The simulator stopped unexpectedly (${oneLine(panic ?? text)}).`,
  };
}

function isPlainError(thrown: unknown): thrown is PlainError {
  return (
    typeof thrown === "object" &&
    thrown !== null &&
    "message" in thrown &&
    "code" in thrown &&
    typeof thrown.code === "string" &&
    CORE_CODES.has(thrown.code)
  );
}

function isTrap(thrown: unknown): boolean {
  return thrown instanceof WebAssembly.RuntimeError;
}

/** Joins the lines of a panic's message, which has its position on a separate line. */
function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

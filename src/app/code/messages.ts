/** Checks untrusted messages of the sandbox that runs programs: a message that does not match exactly is ignored. */

export type Message =
  | { readonly what: "chunk"; readonly bytes: ArrayBuffer }
  | { readonly what: "done"; readonly output: string; readonly status: number }
  | { readonly what: "too-many"; readonly output: string }
  | {
      readonly what: "failed";
      readonly message: string;
      readonly output: string;
      /** The places of the calls in the instrumented module, the innermost first. */
      readonly at: readonly number[];
    };

const MOST_OUTPUT = 1 << 16;
const MOST_FRAMES = 100;

export function readMessage(data: unknown): Message | undefined {
  if (!isObject(data)) return undefined;
  const { chunk, n, done, tooMany, failed } = data;
  if (chunk instanceof ArrayBuffer) {
    if (!isCount(n) || n % 4 !== 0 || n > chunk.byteLength) return undefined;
    return { what: "chunk", bytes: chunk.slice(0, n) };
  }
  if (isObject(done)) {
    const { output, status } = done;
    return { what: "done", output: textOf(output), status: Number(status) | 0 };
  }
  if (isObject(tooMany))
    return { what: "too-many", output: textOf(tooMany["output"]) };
  if (!isObject(failed)) return undefined;
  const { message, output, at } = failed;
  return {
    what: "failed",
    message: textOf(message).slice(0, 500),
    output: textOf(output),
    at: Array.isArray(at) ? at.slice(0, MOST_FRAMES).filter(isCount) : [],
  };
}

function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null;
}

function isCount(data: unknown): data is number {
  return Number.isSafeInteger(data) && Number(data) >= 0;
}

function textOf(data: unknown): string {
  return typeof data === "string" ? data.slice(0, MOST_OUTPUT) : "";
}

/** Checks untrusted messages of the sandbox that runs programs: a message that does not match exactly is ignored. */

export type Message =
  | { readonly what: "chunk"; readonly records: Uint32Array<ArrayBuffer> }
  | { readonly what: "output"; readonly text: string }
  | { readonly what: "done"; readonly status: number }
  | { readonly what: "stopped"; readonly limit: "accesses" | "time" }
  | {
      readonly what: "failed";
      readonly message: string;
      /** The places of the calls in the instrumented module, the innermost first. */
      readonly at: readonly number[];
      /** The record that was not finished. */
      readonly last: Uint32Array<ArrayBuffer>;
      /** The bytes of the program's memory. */
      readonly size: number;
    };

const MOST_FRAMES = 100;
const MOST_RECORD = 1 << 12;

export function readMessage(data: unknown): Message | undefined {
  if (!isObject(data)) return undefined;
  const { chunk, n, output, done, stopped, failed } = data;
  if (chunk instanceof ArrayBuffer) {
    if (!isCount(n) || n % 4 !== 0 || n > chunk.byteLength) return undefined;
    return { what: "chunk", records: new Uint32Array(chunk, 0, n / 4) };
  }
  if (typeof output === "string") return { what: "output", text: output };
  if (stopped === "accesses" || stopped === "time")
    return { what: "stopped", limit: stopped };
  if (isObject(done))
    return { what: "done", status: Number(done["status"]) | 0 };
  if (!isObject(failed)) return undefined;
  const { message, at, last, size } = failed;
  return {
    what: "failed",
    message: typeof message === "string" ? message.slice(0, 500) : "",
    at: Array.isArray(at) ? at.slice(0, MOST_FRAMES).filter(isCount) : [],
    last: isRecord(last) ? new Uint32Array(last) : new Uint32Array(),
    size: isCount(size) ? size : 0,
  };
}

function isRecord(data: unknown): data is ArrayBuffer {
  return (
    data instanceof ArrayBuffer &&
    data.byteLength % 4 === 0 &&
    data.byteLength <= MOST_RECORD
  );
}

function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null;
}

function isCount(data: unknown): data is number {
  return Number.isSafeInteger(data) && Number(data) >= 0;
}

/** Checks untrusted messages of the sandbox: a message that does not match exactly is ignored. */
import type { ProgramArray } from "../../model/code/code";

export interface Failure {
  readonly what: "failed";
  readonly name: string;
  readonly message: string;
  readonly line: number | undefined;
  readonly isSyntax: boolean;
}

export type Message =
  | {
      readonly what: "chunk";
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly n: number;
    }
  | { readonly what: "array"; readonly array: ProgramArray }
  | { readonly what: "too-many"; readonly line: number | undefined }
  | Failure
  | {
      readonly what: "done";
      readonly arrays: readonly ProgramArray[];
      readonly log: readonly string[];
    };

/** Bytes per access in a chunk. */
export const RECORD = 12;
const USER = 2 ** 47;

export function readMessage(data: unknown): Message | undefined {
  if (!isObject(data)) return undefined;
  const { chunk, n, array, failed, done } = data;
  if (chunk instanceof ArrayBuffer) {
    if (!isCount(n) || n * RECORD > chunk.byteLength) return undefined;
    return { what: "chunk", bytes: new Uint8Array(chunk, 0, n * RECORD), n };
  }
  if (array !== undefined) {
    const made = arrayOf(array);
    return made && { what: "array", array: made };
  }
  if (data["tooMany"] === true)
    return { what: "too-many", line: lineOf(data["line"]) };
  if (isObject(failed))
    return {
      what: "failed",
      name: textOf(failed["name"]),
      message: textOf(failed["message"]),
      line: lineOf(failed["line"]),
      isSyntax: failed["isSyntax"] === true,
    };
  if (!isObject(done)) return undefined;
  const arrays = listOf(done["arrays"]).map(arrayOf);
  if (!arrays.every((array) => array !== undefined)) return undefined;
  return { what: "done", arrays, log: listOf(done["log"]).map(textOf) };
}

function arrayOf(data: unknown): ProgramArray | undefined {
  if (!isObject(data)) return undefined;
  const { start, length, size } = data;
  if (!isCount(start) || !isCount(length) || !isCount(size)) return undefined;
  if (start + length * size > USER) return undefined;
  return { name: textOf(data["name"]), start, length, size };
}

function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null;
}

function isCount(data: unknown): data is number {
  return Number.isSafeInteger(data) && Number(data) >= 0;
}

function lineOf(data: unknown): number | undefined {
  return isCount(data) && data > 0 ? data : undefined;
}

function textOf(data: unknown): string {
  return typeof data === "string" ? data.slice(0, 500) : "";
}

function listOf(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data.slice(0, 1000) : [];
}

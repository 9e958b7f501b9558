/** The accesses of a JavaScript program in the file format of the core's importer `loops`. */
import type { ProgramArray } from "../../model/code/code";
import { RECORD } from "./scriptMessages";

type Part = Uint8Array<ArrayBuffer>;

/** Stands for the line in the record of an array. */
const ARRAY = 0xffffffff;

const encode = (value: unknown): Part =>
  new TextEncoder().encode(JSON.stringify(value));

/** What a file has before its records. `lines` are the code lines that access memory. */
export function scriptHead(lines: readonly number[]): Part {
  const head = encode({ arrays: [], lines });
  const magic = new TextEncoder().encode("PWLOOP1\n");
  const whole = new Uint8Array(magic.length + 4 + head.length);
  whole.set(magic);
  new DataView(whole.buffer).setUint32(magic.length, head.length, true);
  whole.set(head, magic.length + 4);
  return whole;
}

/** The records that name an array, which come before its accesses. */
export function arrayRecords({
  name,
  start,
  length,
  size,
}: ProgramArray): Part {
  const hex = (address: number) => `0x${address.toString(16)}`;
  const text = encode({
    // Half of a letter, which a cut name may end with, is no text.
    name: name.replace(/\p{Surrogate}/gu, "\u{fffd}"),
    start: hex(start),
    end: hex(start + length * size),
  });
  const words = 1 + Math.ceil(text.length / RECORD);
  const whole = new Uint8Array(words * RECORD);
  const view = new DataView(whole.buffer);
  view.setUint32(0, text.length, true);
  view.setUint32(8, ARRAY, true);
  whole.set(text, RECORD);
  return whole;
}

/** The accesses of a JavaScript program in the file format of the core's importer `loops`. */
import type { ProgramArray } from "../../model/code/code";

/** `chunks` are records; `lines` are the code lines that access memory. */
export function scriptFile(
  arrays: readonly ProgramArray[],
  lines: readonly number[],
  chunks: readonly ArrayBuffer[],
): Blob {
  const hex = (address: number) => `0x${address.toString(16)}`;
  const head = new TextEncoder().encode(
    JSON.stringify({
      arrays: arrays.map(({ name, start, length, size }) => ({
        name,
        start: hex(start),
        end: hex(start + length * size),
      })),
      lines,
    }),
  );
  const size = new DataView(new ArrayBuffer(4));
  size.setUint32(0, head.length, true);
  return new Blob(["PWLOOP1\n", size.buffer, head, ...chunks]);
}

/** The accesses of a loop in the file format of the core's importer `loops`. */
import type { LoopArray } from "../../model/loop/loop";

/** `chunks` are records; `lines` are the code lines that access memory. */
export function loopFile(
  arrays: readonly LoopArray[],
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

/** The accesses of a program in the file format of the core's importer `code`. */
import { heapNames } from "../../model/code/about";
import type { ProgramAbout } from "../../model/code/about";

/** `chunks` are records; `lines` are those of the source, for the names of heap blocks. */
export function programFile(
  about: ProgramAbout,
  lines: readonly string[],
  chunks: readonly ArrayBuffer[],
): Blob {
  const { memory, functions, globals, sites, blocks } = about;
  const head = new TextEncoder().encode(
    JSON.stringify({
      memory,
      functions,
      globals: globals.map(({ name, start, end }) => ({ name, start, end })),
      sites,
      blocks,
      heap: heapNames(about, lines),
    }),
  );
  const size = new DataView(new ArrayBuffer(4));
  size.setUint32(0, head.length, true);
  return new Blob(["PWCODE1\n", size.buffer, head, ...chunks]);
}

/** Keeps the records of a program in C, and hands them to an import while the program runs. */
import type { Packing } from "../../state/code/programService";
import { filePartsOf } from "./fileParts";
import { fileHead } from "./programFile";
import type { ProgramRecords } from "./programFile";

type Chunk = Uint32Array<ArrayBuffer>;

export interface Records {
  /** Adds records, unless the file has ended. */
  readonly take: (chunk: Chunk) => void;
  /** Ends the file of the records. Rejects if the import that has some of them has failed. */
  readonly end: () => Promise<readonly Chunk[]>;
  /** Imports nothing. */
  readonly cancel: () => void;
}

export function recordsOf(
  program: Omit<ProgramRecords, "chunks">,
  packing: Packing | undefined,
): Records {
  const parts = filePartsOf(() => fileHead(program), packing);
  let ended: Promise<readonly Chunk[]> | undefined;
  const end = async () =>
    (await parts.end()).map(
      ({ buffer, byteOffset, byteLength }) =>
        new Uint32Array(buffer, byteOffset, byteLength / 4),
    );
  return {
    take: ({ buffer, byteOffset, byteLength }) =>
      parts.take(new Uint8Array(buffer, byteOffset, byteLength)),
    end: () => (ended ??= end()),
    cancel: parts.cancel,
  };
}

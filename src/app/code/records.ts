/** Keeps the records of a run, and hands them to an import while the program runs. */
import { PartWriter } from "../../engine/parts";
import type { Packing } from "../../state/code/programService";
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
  let ended: Promise<readonly Chunk[]> | undefined;
  const chunks: Chunk[] = [];
  if (!packing)
    return {
      take: (chunk) => {
        if (!ended) chunks.push(chunk);
      },
      end: () => (ended ??= Promise.resolve(chunks)),
      cancel: () => {},
    };
  const writer = new PartWriter();
  // The import may fail before `end` waits for it.
  const failed = new Promise<never>((_, reject) => {
    packing.begin(writer.file).catch(reject);
  });
  failed.catch(() => undefined);
  const end = async () => {
    packing.onEnd();
    const [, ...parts] = await Promise.race([writer.end(), failed]);
    return parts.map(
      ({ buffer, byteOffset, byteLength }) =>
        new Uint32Array(buffer, byteOffset, byteLength / 4),
    );
  };
  writer.write(fileHead(program));
  return {
    take: ({ buffer, byteOffset, byteLength }) => {
      if (!ended) writer.write(new Uint8Array(buffer, byteOffset, byteLength));
    },
    end: () => (ended ??= end()),
    cancel: () => writer.cancel(),
  };
}

/** Reads files for the module: only the beginning, or decompressed. */
import { EngineError } from "./engine";
import { messageOf } from "./errors";

/** The bytes of a file that a preview reads. Reading them takes too little time to be noticed. */
const HEAD = 1 << 20;

/** Returns the beginning of a file, and whether the file has nothing more. */
export async function headOf(
  file: Blob,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const head = await file
    .slice(0, HEAD)
    .arrayBuffer()
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  return { bytes: new Uint8Array(head), isWhole: file.size <= HEAD };
}

/**
 * Returns the decompressed bytes of a small file. Some web hosts decompress such a file themselves, others do not.
 */
export async function unpacked(file: Blob): Promise<Uint8Array> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = first === 0x1f && second === 0x8b;
  const stream = isPacked
    ? file.stream().pipeThrough(new DecompressionStream("gzip"))
    : file.stream();
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function unreadable(error: unknown): EngineError {
  return new EngineError(
    "bad-trace",
    `The file could not be read: ${messageOf(error)} It may have been moved or changed; choose it again.`,
  );
}

/** Reads files for the module: in pieces, only the beginning, or decompressed. */
import type { WasmTask } from "./binding";
import { progressOf } from "./binding";
import { EngineError } from "./engine";
import type { Progress } from "./engine";
import { cancelled } from "./errors";
import { read } from "./reading";
import { Pacer, Slicer } from "./slices";

/** The bytes of a file that a preview reads. Reading them takes too little time to be noticed. */
const HEAD = 1 << 20;

/** The size of the first piece in bytes, and the limits of the size. Compressed data can grow a thousandfold. */
const pieces = () => new Slicer(1 << 16, 1 << 10, 1 << 20);

/** Pushes all of `file` into an import. After that, `finish` makes the trace the current one. */
export async function readInto(
  task: WasmTask,
  file: Blob,
  isCancelled: () => boolean,
  onProgress: (progress: Omit<Progress, "rate">) => void,
): Promise<void> {
  const reading = read(file);
  const pacer = new Pacer();
  const slicer = pieces();
  let done = 0;
  try {
    for (;;) {
      const part = await reading.next().catch((error: unknown) => {
        throw unreadable(error);
      });
      if (!part) {
        // If the file becomes shorter while it is read, it ends without an error.
        if (done < file.size) throw unreadable("it has become shorter.");
        return;
      }
      for (let at = 0; at < part.length;) {
        if (isCancelled()) throw cancelled();
        const size = slicer.size;
        const piece = part.subarray(at, at + size);
        const full = slicer.slice(() => task.push(piece));
        at += piece.length;
        done += piece.length;
        const accesses = progressOf(task)?.done ?? 0;
        onProgress({ done, total: file.size, unit: "bytes", accesses });
        if (full) return;
        await pacer.pause();
      }
      if (isCancelled()) throw cancelled();
    }
  } finally {
    reading.stop();
  }
}

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

function unreadable(error: unknown): EngineError {
  const why = error instanceof Error ? error.message : String(error);
  return new EngineError(
    "bad-trace",
    `The file could not be read: ${why} It may have been moved or changed; choose it again.`,
  );
}

/** Reads a file into an import, piece by piece. It is loaded with the first import. */
import type { WasmTask } from "./binding";
import { progressOf } from "./binding";
import { EngineError } from "./engine";
import type { Progress } from "./engine";
import { cancelled } from "./errors";
import { unreadable } from "./importing";
import { readParts } from "./parts";
import { read } from "./reading";
import { Pacer, Slicer } from "./slices";

/** The size of the first piece in bytes, and the limits of the size. Compressed data can grow a thousandfold. */
const pieces = () => new Slicer(1 << 16, 1 << 10, 1 << 20);

/**
 * Pushes all of `file` into an import. After that, `finish` makes the trace the current one. The signal ends it, also
 * while it waits for the next bytes.
 */
export async function readInto(
  task: WasmTask,
  file: Blob | MessagePort,
  signal: AbortSignal,
  onProgress: (progress: Omit<Progress, "rate">) => void,
): Promise<void> {
  const isBlob = file instanceof Blob;
  const reading = isBlob ? read(file) : readParts(file);
  const size = isBlob ? { total: file.size } : {};
  const pacer = new Pacer();
  const slicer = pieces();
  const stop = () => reading.stop();
  const stopIfCancelled = () => {
    if (signal.aborted) throw cancelled();
  };
  let done = 0;
  signal.addEventListener("abort", stop);
  try {
    for (;;) {
      stopIfCancelled();
      const part = await reading.next().catch((error: unknown) => {
        throw error instanceof EngineError ? error : unreadable(error);
      });
      stopIfCancelled();
      if (!part) {
        // If the file becomes shorter while it is read, it ends without an error.
        if (isBlob && done < file.size)
          throw unreadable("it has become shorter.");
        return;
      }
      for (let at = 0; at < part.length;) {
        stopIfCancelled();
        const piece = part.subarray(at, at + slicer.size);
        const full = slicer.slice(() => task.push(piece));
        at += piece.length;
        done += piece.length;
        const accesses = progressOf(task)?.done ?? 0;
        onProgress({ done, ...size, unit: "bytes", accesses });
        if (full) return;
        await pacer.pause();
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

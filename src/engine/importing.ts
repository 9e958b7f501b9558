/** Files on their way into the module: piece by piece, their beginning, or unpacked. */
import type { WasmTask } from "./binding";
import { progressOf } from "./binding";
import { EngineError } from "./engine";
import type { Progress } from "./engine";
import { cancelled } from "./errors";
import { read } from "./reading";
import { Pacer, Slicer } from "./slices";

/** Bytes of a file that a look reads: an import of as many is not noticed. */
const HEAD = 1 << 20;

/** Bytes of the first piece and its limits; a small compressed piece can unpack to a thousandfold. */
const pieces = () => new Slicer(1 << 16, 1 << 10, 1 << 20);

/** Pushes all of `file` into an import, up to the point where `finish` makes the trace current. */
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
        // A file that is cut while it is read ends without an error.
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

/** The beginning of a file, and whether that is all of it. */
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

/** The bytes of a small file that may be packed with gzip: hosts unpack some, and leave others. */
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

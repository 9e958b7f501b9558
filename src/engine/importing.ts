/** Feeds a file to the importer piece by piece; never the whole file in memory. */
import { EngineError } from "./engine";
import type { ImportChoices, Progress } from "./engine";
import { cancelled } from "./errors";
import type { ImportRequest } from "./generated/ImportRequest";
import type { Peek } from "./generated/Peek";
import type { Call } from "./protocol";
import { read } from "./reading";
import { Pacer, Slicer } from "./slices";
import type { WasmModule, WasmSession } from "./wasm";

/** Bytes of a file that a look reads: an import of as many is not noticed. */
const HEAD = 1 << 20;

/** Bytes of the first piece and its limits; a small compressed piece can unpack to a thousandfold. */
const pieces = () => new Slicer(1 << 16, 1 << 10, 1 << 20);

/**
 * Reads `file` into the session's importer, up to the point where `finishImport` makes the trace
 * current. After an error the importer is empty again.
 */
export async function readInto(
  session: WasmSession,
  { file, name, choices }: Call<"import">,
  isCancelled: () => boolean,
  tell: (progress: Omit<Progress, "rate">) => void,
): Promise<void> {
  session.beginImport(request(name, choices));
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
        const full = slicer.slice(() => session.push(piece));
        at += piece.length;
        done += piece.length;
        tell({
          done,
          total: file.size,
          unit: "bytes",
          accesses: session.importAccesses(),
        });
        if (full) return;
        await pacer.pause();
      }
      if (isCancelled()) throw cancelled();
    }
  } finally {
    reading.stop();
  }
}

/** Looks at the beginning of a file. */
export async function peekAt(
  module: WasmModule,
  { file, name, choices }: Call<"peek">,
): Promise<Peek> {
  const head = await file
    .slice(0, HEAD)
    .arrayBuffer()
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  const isWhole = file.size <= HEAD;
  const bytes = new Uint8Array(head);
  // The JSON is that of the type, as everywhere.
  return JSON.parse(
    module.peek(request(name, choices), bytes, isWhole),
  ) as Peek;
}

function request(name: string, choices: ImportChoices): string {
  return JSON.stringify({ name, ...choices } satisfies ImportRequest);
}

function unreadable(error: unknown): EngineError {
  const why = error instanceof Error ? error.message : String(error);
  return new EngineError(
    "bad-trace",
    `The file could not be read: ${why} It may have been moved or changed; choose it again.`,
  );
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

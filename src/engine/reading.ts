/** Reads the bytes of a file, part by part. */

/** The largest size of a part in bytes, which is as much as browsers read ahead. */
const PART = 2 << 20;

export interface Reading {
  /** Returns the next bytes; `undefined` after the last. The bytes are valid until the next call. */
  next(): Promise<Uint8Array | undefined>;
  /** Stops reading, because the rest of the file is not needed. A `next` that waits ends. */
  stop(): void;
}

/** Reads a file, always into the same buffer if the browser supports byte streams of files. */
export function read(file: Blob): Reading {
  const stream = file.stream();
  try {
    return intoOne(stream.getReader({ mode: "byob" }));
  } catch {
    return intoMany(stream.getReader());
  }
}

/** A new buffer for each part would be slow, because each page of its memory is touched for the first time. */
function intoOne(reader: ReadableStreamBYOBReader): Reading {
  let buffer = new ArrayBuffer(PART);
  return {
    async next() {
      const { value } = await reader.read(new Uint8Array(buffer));
      if (!value || value.length === 0) return undefined;
      buffer = value.buffer;
      return value;
    },
    stop: () => drop(reader),
  };
}

function intoMany(reader: ReadableStreamDefaultReader<Uint8Array>): Reading {
  return {
    next: async () => (await reader.read()).value,
    stop: () => drop(reader),
  };
}

function drop(reader: { cancel(): Promise<void> }): void {
  // A stream that has failed cannot be cancelled.
  reader.cancel().catch(() => undefined);
}

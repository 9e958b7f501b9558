/** The bytes of a file one after the other, a part at a time. */

/** Bytes of a part at most: as many as browsers read ahead. */
const PART = 2 << 20;

export interface Reading {
  /** The next bytes, `undefined` after the last. They are good until the next call. */
  next(): Promise<Uint8Array | undefined>;
  /** The rest of the file is not needed. */
  stop(): void;
}

/** Reads into one buffer over and over, where the browser's files are streams of bytes. */
export function read(file: Blob): Reading {
  const stream = file.stream();
  try {
    return intoOne(stream.getReader({ mode: "byob" }));
  } catch {
    return intoMany(stream.getReader());
  }
}

/** A new buffer for each part would take longer than what is read into it: its memory is touched for the first time. */
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
  // A stream that failed already has nothing to cancel.
  reader.cancel().catch(() => undefined);
}

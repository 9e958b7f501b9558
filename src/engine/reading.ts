/** Reads the bytes of a file, part by part. */
import { cancelled } from "./errors";

/** The largest size of a part in bytes, which is as much as browsers read ahead. */
const PART = 2 << 20;

export interface Reading {
  /** Returns the next bytes; `undefined` after the last. The bytes are valid until the next call. */
  next(): Promise<Uint8Array | undefined>;
  /** Stops reading, because the rest of the file is not needed. */
  stop(): void;
}

/** The bytes that another thread sends, buffer by buffer. After the last comes `null`, or `false` if it gave up. */
export type Bytes = MessagePort;

/** Reads a file, always into the same buffer if the browser supports byte streams of files. */
export function read(file: Blob | Bytes): Reading {
  if (!("size" in file)) return sent(file);
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

function sent(port: Bytes): Reading {
  const waiting: (ArrayBuffer | null | false)[] = [];
  let wake = () => {};
  port.onmessage = ({ data }: MessageEvent<ArrayBuffer | null | false>) => {
    waiting.push(data);
    wake();
  };
  return {
    async next() {
      if (waiting.length === 0)
        await new Promise<void>((resolve) => (wake = resolve));
      const data = waiting.shift();
      if (data === false) throw cancelled();
      return data ? new Uint8Array(data) : undefined;
    },
    stop: () => port.close(),
  };
}

function drop(reader: { cancel(): Promise<void> }): void {
  // A stream that has failed cannot be cancelled.
  reader.cancel().catch(() => undefined);
}

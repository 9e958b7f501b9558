import { openAsBlob } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { read } from "../../src/engine/reading";
import type { Reading } from "../../src/engine/reading";

/** The size of the file in bytes: several parts, and not a multiple of their size. */
const BYTES = 5_000_011;

const bytes = Uint8Array.from({ length: BYTES }, (_, i) => (i * i) >> 7);

/** A file in a browser that does not support byte streams. */
class Plain extends Blob {
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const whole = this.slice().stream().getReader();
    return new ReadableStream({
      async pull(controller) {
        const { value } = await whole.read();
        if (value) controller.enqueue(value);
        else controller.close();
      },
      cancel: (why) => whole.cancel(why),
    });
  }
}

/** A file that cannot be read to its end. */
class Failing extends Blob {
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream<Uint8Array<ArrayBuffer>>(failing());
  }
}

/** A file whose byte stream fails in the same way. */
class FailingBytes extends Blob {
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({ ...failing(), type: "bytes" });
  }
}

type Controller = Pick<ReadableByteStreamController, "enqueue" | "error">;

function failing(): { readonly pull: (controller: Controller) => void } {
  let n = 0;
  return {
    pull(controller) {
      n += 1;
      if (n <= 2) controller.enqueue(new Uint8Array([n]));
      else controller.error(new Error("gone"));
    },
  };
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "pagewalk-"));
  await writeFile(path.join(folder, "file"), bytes);
});
afterAll(() => rm(folder, { recursive: true }));

async function all(reading: Reading): Promise<Uint8Array> {
  const parts: BlobPart[] = [];
  for (let part = await reading.next(); part; part = await reading.next())
    // A copy: the bytes are good until the next call.
    parts.push(part.slice());
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

test.each<[string, () => Blob | Promise<Blob>]>([
  ["in_memory", () => new Blob([bytes])],
  ["of_many_parts", () => new Blob([bytes.subarray(0, 7), bytes.subarray(7)])],
  ["on_disk", () => openAsBlob(path.join(folder, "file"))],
  ["of_another_browser", () => new Plain([bytes])],
])("a_file_%s_is_read_to_its_last_byte", async (_, open) => {
  expect(Buffer.compare(await all(read(await open())), bytes)).toBe(0);
});

test("an_empty_file_ends_at_once", async () => {
  expect(await read(new Blob([])).next()).toBeUndefined();
  expect(await read(new Plain([])).next()).toBeUndefined();
});

test("what_went_wrong_with_a_file_is_told", async () => {
  for (const file of [new Failing(), new FailingBytes()]) {
    const reading = read(file);
    await reading.next();
    await reading.next();
    await expect(reading.next()).rejects.toThrow("gone");
    reading.stop();
  }
});

test("what_is_not_wanted_is_not_read", async () => {
  for (const file of [new Blob([bytes]), new Plain([bytes])]) {
    const reading = read(file);
    await reading.next();
    reading.stop();
    expect(await reading.next()).toBeUndefined();
  }
});

test("a_stream_of_bytes_is_given_one_place_for_them_over_and_over", async () => {
  /** The sizes of buffers, and the byte after the one that is read into each. A new buffer has 0 there. */
  const places: [number, number][] = [];
  class Bytes extends Blob {
    override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
      return new ReadableStream({
        type: "bytes",
        pull(controller) {
          const request = controller.byobRequest;
          const view = request?.view;
          const { buffer, byteOffset, byteLength } = view ?? new Uint8Array();
          const place = new Uint8Array(buffer, byteOffset, byteLength);
          places.push([byteLength, place[1] ?? 0]);
          place[1] = places.length;
          if (places.length > 3) controller.close();
          request?.respond(places.length > 3 ? 0 : 1);
        },
      });
    }
  }
  expect(await all(read(new Bytes()))).toHaveLength(3);
  expect(places).toEqual([0, 1, 2, 3].map((mark) => [2 << 20, mark]));
});

import { expect, test } from "vitest";
import { RECORD, readMessage } from "../../../src/app/code/scriptMessages";

const USER = 2 ** 47;
const chunk = (bytes: number, n: unknown) => ({
  chunk: new ArrayBuffer(bytes),
  n,
});
const ARRAY = { name: "a", start: 0, length: 1, size: 8 };
const done = (array: object) => ({
  done: { arrays: [{ ...ARRAY, ...array }] },
});

test.each<[what: string, data: unknown]>([
  ["no object", "done"],
  ["nothing", null],
  ["an empty object", {}],
  ["a chunk with fewer bytes than records", chunk(2 * RECORD - 1, 2)],
  ["a chunk with more records than fit a number", chunk(RECORD, 2 ** 60)],
  ["a chunk with fewer than no records", chunk(RECORD, -1)],
  ["a chunk with half a record", chunk(RECORD, 0.5)],
  ["a chunk whose count is a text", chunk(RECORD, "1")],
  ["a chunk that is a view of a buffer", { chunk: new Uint8Array(12), n: 1 }],
  ["an array that is no object", { array: 1 }],
  ["an array that is made below 0", { array: { ...ARRAY, start: -1 } }],
  ["arrays that are no objects", { done: { arrays: [1] } }],
  ["an array below 0", done({ start: -1 })],
  ["an array that ends after user space", done({ start: USER - 7 })],
  ["an array longer than user space", done({ length: USER, size: 2 })],
  ["an array of half elements", done({ length: 1.5 })],
  ["an array whose size is a text", done({ size: "8" })],
])("%s_is_no_message", (_what, data) => {
  expect(readMessage(data)).toBeUndefined();
});

test("a_chunk_is_as_long_as_its_records", () => {
  const read = readMessage(chunk(5 * RECORD, 2));
  expect(read).toMatchObject({ what: "chunk", n: 2 });
  expect(read?.what === "chunk" && read.bytes.byteLength).toBe(2 * RECORD);
  expect(readMessage(chunk(2 * RECORD, 2))).toMatchObject({ n: 2 });
});

test("an_array_is_known_when_it_is_made", () => {
  const read = readMessage({ array: { ...ARRAY, name: 1, more: 2 } });
  expect(read).toEqual({ what: "array", array: { ...ARRAY, name: "" } });
});

test("an_array_may_end_where_user_space_ends", () => {
  const read = readMessage(done({ start: USER - 8 }));
  const arrays = [{ name: "a", start: USER - 8, length: 1, size: 8 }];
  expect(read).toEqual({ what: "done", arrays, log: [] });
});

test("texts_and_lists_have_a_limit_and_what_is_no_text_is_empty", () => {
  const long = "x".repeat(501);
  const array = { name: long, start: 0, length: 1, size: 1 };
  const arrays = Array.from({ length: 1001 }, () => array);
  const read = readMessage({ done: { arrays, log: [long, 1, null] } });
  if (read?.what !== "done") throw new Error("It is a message.");
  expect(read.arrays).toHaveLength(1000);
  expect(read.arrays[0]?.name).toHaveLength(500);
  expect(read.log.map((text) => text.length)).toEqual([500, 0, 0]);
  expect(readMessage({ failed: { name: {}, message: long } })).toEqual({
    what: "failed",
    name: "",
    message: "x".repeat(500),
    line: undefined,
    isSyntax: false,
  });
});

test.each([
  [3, 3],
  [0, undefined],
  [-1, undefined],
  [1.5, undefined],
  ["3", undefined],
])("the_line_%j_is_line_%j", (line, read) => {
  expect(readMessage({ tooMany: true, line })).toEqual({
    what: "too-many",
    line: read,
  });
  expect(readMessage({ failed: { line } })).toMatchObject({ line: read });
});

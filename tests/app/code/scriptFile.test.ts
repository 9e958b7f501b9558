import { expect, test } from "vitest";
import { arrayRecords, scriptHead } from "../../../src/app/code/scriptFile";

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test("a_file_begins_with_the_lines_of_its_accesses", () => {
  const bytes = scriptHead([7]);
  const head = `{"arrays":[],"lines":[7]}`;
  expect(textOf(bytes.subarray(0, 8))).toBe("PWLOOP1\n");
  expect(new DataView(bytes.buffer).getUint32(8, true)).toBe(head.length);
  expect(textOf(bytes.subarray(12))).toBe(head);
});

test("an_array_is_whole_records_with_its_bounds_in_bytes", () => {
  const bytes = arrayRecords({ name: "ä", start: 0x1000, length: 4, size: 8 });
  const text = `{"name":"ä","start":"0x1000","end":"0x1020"}`;
  const words = new Uint32Array(bytes.buffer);
  expect([...words.subarray(0, 3)]).toEqual([text.length + 1, 0, 0xffffffff]);
  expect(bytes.length % 12).toBe(0);
  expect(textOf(bytes.subarray(12)).replaceAll("\0", "")).toBe(text);
});

test("a_name_that_ends_in_half_of_a_letter_is_text", () => {
  const [name] = ["😀".slice(0, 1)];
  const bytes = arrayRecords({
    name: `a${name}`,
    start: 0,
    length: 1,
    size: 1,
  });
  expect(textOf(bytes)).toContain(`"name":"a\u{fffd}"`);
});

import { expect, test } from "vitest";
import { scriptFile } from "../../../src/app/code/scriptFile";

test("a_file_has_its_arrays_in_bytes_then_the_records", async () => {
  const array = { name: "a", start: 0x1000, length: 4, size: 8 };
  const record = new Uint8Array([1, 2, 3]).buffer;
  const bytes = new Uint8Array(
    await scriptFile([array], [7], [record, record]).arrayBuffer(),
  );
  const text = new TextDecoder().decode(bytes);
  const head = `{"arrays":[{"name":"a","start":"0x1000","end":"0x1020"}],"lines":[7]}`;
  expect(text.slice(0, 8)).toBe("PWLOOP1\n");
  expect(new DataView(bytes.buffer).getUint32(8, true)).toBe(head.length);
  expect(text.slice(12, 12 + head.length)).toBe(head);
  expect([...bytes.slice(12 + head.length)]).toEqual([1, 2, 3, 1, 2, 3]);
});

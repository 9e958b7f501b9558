import { expect, test } from "vitest";
import { readSearch } from "../../../src/app/replay/readSearch";

const N = 398_306;

test.each([
  ["12345", { access: 12345 }],
  [" 12,345 ", { access: 12345 }],
  ["0", { access: 0 }],
  ["0x7f3a1c2b5e48", { address: "0x7f3a1c2b5e48" }],
  ["0x7f3a 1c2b 5e48", { address: "0x7f3a1c2b5e48" }],
  ["0X10", { address: "0x10" }],
  ["7f3a1c2b5e48", { address: "0x7f3a1c2b5e48" }],
  ["0x0000000000000000000010", { address: "0x10" }],
])("%s_is_understood", (text, search) => {
  expect(readSearch(text, N)).toEqual(search);
});

test.each([
  ["", "Type a number"],
  ["-5", "Type a number"],
  ["banana", "Type a number"],
  ["0x", "Type a number"],
  ["398306", "0 to 398,305"],
  ["0x12345678123456781", "64 bits"],
])("%s_is_refused_with_a_sentence", (text, sentence) => {
  expect(readSearch(text, N)).toMatchObject({
    problem: expect.stringContaining(sentence) as string,
  });
});

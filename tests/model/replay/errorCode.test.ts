import { expect, test } from "vitest";
import { errorCodeWords } from "../../../src/model/replay/errorCode";

test.each([
  ["0x0", "system, read, not present"],
  ["0x4", "user, read, not present"],
  ["0x6", "user, write, not present"],
  ["0x7", "user, write, present"],
  ["0x15", "user, fetch, present"],
  ["0xd", "user, read, present, reserved bit"],
  ["0x25", "user, read, present, protection key"],
])("the_error_code_%s_is_%s", (code, words) => {
  expect(errorCodeWords(code)).toBe(words);
});

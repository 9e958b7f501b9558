import { expect, test } from "vitest";
import {
  carriedData,
  carriedText,
  readCarried,
  readCarriedText,
} from "../../../src/model/permalink/carried";

test.each(["text", "loop"] as const)("%s_is_read_back", (kind) => {
  expect(readCarried(carriedData(kind, "a-_9"))).toEqual({
    kind,
    word: "a-_9",
  });
});

test.each([
  ["", "is damaged"],
  ["1", "is damaged"],
  ["1.text.a.b", "is damaged"],
  ["1.exe.a", "is damaged"],
  ["0.text.a", "is damaged"],
  ["2.text.a", "a newer version of Pagewalk wrote the link."],
])("%s_is_refused_because_it_%s", (data, why) => {
  expect(() => readCarried(data)).toThrow(why);
});

test("a_text_keeps_its_lines_and_how_it_is_read", () => {
  const choices = {
    format: "csv",
    list: { base: "decimal" as const },
    limit: 5,
  };
  const text = "\ufeff1,2\r\n\n3,4";
  expect(readCarriedText(carriedText(choices, text))).toEqual({
    choices,
    text,
  });
});

test.each([
  ["no line", "“data” is not valid JSON"],
  ["[1]\na", "is damaged"],
  ["null\na", "is damaged"],
  [`${"[".repeat(99)}\na`, "more than 32 levels"],
])("%j_is_no_text_of_a_link", (unpacked, why) => {
  expect(() => readCarriedText(unpacked)).toThrow(why);
});

test("fields_that_say_nothing_about_reading_are_left_out", () => {
  const { choices } = readCarriedText('{"max_bytes":9,"name":"x"}\na');
  expect(choices).toEqual({});
});

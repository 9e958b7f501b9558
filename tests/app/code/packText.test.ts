import { expect, test } from "vitest";
import { packText, unpackText } from "../../../src/app/code/packText";

test.each(["", "load(8)", "“ä” 😀", "x".repeat(100_000)])(
  "a_text_is_unpacked_as_it_was_packed",
  async (text) => {
    const word = await packText(text);
    expect(word).toMatch(/^[\w-]*$/);
    expect(await unpackText(word, text.length)).toBe(text);
  },
);

test("a_word_that_unpacks_to_more_than_the_limit_is_refused", async () => {
  const word = await packText("x".repeat(100_001));
  expect(word.length).toBeLessThan(500);
  await expect(unpackText(word, 100_000)).rejects.toThrow("too long");
});

test.each(["!", "abc", "____"])(
  "the_damaged_word_%s_is_refused",
  async (word) => {
    await expect(unpackText(word, 100)).rejects.toThrow();
  },
);

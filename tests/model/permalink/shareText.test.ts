import { expect, test } from "vitest";
import {
  embedAddress,
  embedCode,
  markdownLink,
} from "../../../src/model/permalink/shareText";

test.each([
  ["https://h/#a=1", "ls: load", "[ls: load](https://h/#a=1)"],
  [
    "https://h/#file=a(1)",
    "a [b] *c*",
    "[a \\[b\\] \\*c\\*](https://h/#file=a%281%29)",
  ],
])("the_markdown_of_%s_with_%s", (address, about, expected) => {
  expect(markdownLink(address, about)).toBe(expected);
});

test("an_embedded_view_keeps_the_path_the_search_and_the_state", () => {
  expect(embedAddress("https://h/x/?test#trace=ls&access=5", "walk")).toBe(
    "https://h/x/?test=&embed=walk#trace=ls&access=5",
  );
});

test("a_title_cannot_end_its_attribute", () => {
  expect(embedCode("https://h/#a=1&b=2", "code", '"><script>')).toBe(
    '<iframe src="https://h/?embed=code#a=1&amp;b=2" title="&quot;>&lt;script>" width="600" height="340" style="border: 0" loading="lazy"></iframe>',
  );
});

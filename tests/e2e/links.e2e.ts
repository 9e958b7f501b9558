import { expect, test } from "vitest";
import { hashWith, ready, says } from "./app";
import { useBrowser } from "./browser";

const visit = useBrowser();

test("a_link_opens_the_structure_that_was_looked_at", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const tab = page.getByRole("tab", { name: /^walk caches/ });
  await tab.click();
  const hash = await hashWith(page, "structure=");
  const other = await visit(`?test${hash}`);
  await ready(other.page);
  await other.page
    .getByRole("tab", { name: /^walk caches/, selected: true })
    .waitFor();
  expect(other.problems).toEqual([]);
});

test.each([
  ["nested brackets", `machine=${"[".repeat(5000)}`],
  [
    "brackets in a what-if",
    `screen=what-if&whatif={"change":${"[".repeat(5000)}`,
  ],
  ["sides in sides", `screen=compare&${"right=".repeat(40_000)}`],
  ["a megabyte of wrong escapes", `file=${"%FF".repeat(333_333)}`],
])(
  "a_link_with_%s_opens_the_first_example_and_says_why",
  async (_what, hash) => {
    const { page, problems } = await visit(`?test#${hash}`);
    await ready(page);
    await says(page.getByTestId("notice"), "The link cannot be read: ");
    expect(problems).toEqual([]);
  },
);

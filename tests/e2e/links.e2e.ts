import { expect, test } from "vitest";
import { hashWith, ready } from "./app";
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

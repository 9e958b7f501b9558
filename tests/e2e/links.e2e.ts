import { expect, test } from "vitest";
import { ready } from "./app";
import { useBrowser } from "./browser";

const visit = useBrowser();

test("a_link_opens_the_structure_that_was_looked_at", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const tab = page.getByRole("tab", { name: /^walk caches/ });
  await tab.click();
  await page.waitForFunction(() => location.hash.includes("structure="));
  const { hash } = new URL(page.url());
  const other = await visit(`?test${hash}`);
  await ready(other.page);
  await other.page
    .getByRole("tab", { name: /^walk caches/, selected: true })
    .waitFor();
  expect(other.problems).toEqual([]);
});

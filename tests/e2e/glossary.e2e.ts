import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { hashWith, ready, says } from "./app";
import { seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

/** The colour of the outline of something, which is transparent until it is lit. */
const stroke = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).stroke);

test("a_noun_lights_the_picture_and_opens_its_card", async () => {
  const { page, problems } = await visit("?test#trace=chase&access=250642");
  await ready(page);
  const frame = '[data-object~="cache"] > .lit-frame';
  expect(await stroke(page, frame)).toBe("none");
  const noun = page.locator(".words-text").getByText("PDE cache");
  await noun.hover();
  await expect.poll(() => stroke(page, frame)).toMatch(/^rgb/);
  // The other way round: the column of the picture lights its noun.
  const entry = page.locator(".words-text").getByText(/^PT entry/);
  await page.locator('.walk-level[data-level="1"]').hover();
  await expect
    .poll(() => entry.evaluate((word) => getComputedStyle(word).boxShadow))
    .not.toMatch(/rgba\(0, 0, 0, 0\)/);
  await noun.click();
  const card = page.getByRole("dialog", { name: "Glossary: PDE cache" });
  await says(card, "leaves one reference for a 4K page");
  expect(await seriousViolations(page)).toEqual([]);
  await card.getByRole("link", { name: "page-table level" }).click();
  await page
    .getByRole("dialog", { name: "Glossary: page-table level" })
    .waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  expect(await noun.evaluate((word) => word === document.activeElement)).toBe(
    true,
  );
  expect(problems).toEqual([]);
});

test("the_glossary_is_a_page_with_links_to_terms", async () => {
  const { page, problems } = await visit("?test#screen=glossary&term=stlb");
  const chosen = page.locator(".glossary-card.chosen");
  await says(chosen, "The second-level TLB");
  await page.getByRole("searchbox").fill("victim");
  await expect
    .poll(() => page.locator(".glossary-card h2").first().textContent())
    .toBe("evict");
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "evict", exact: true }).first().click();
  await hashWith(page, "term=evict");
  expect(problems).toEqual([]);
});

/** The languages of the translated parts: the offer, the choice, links, and texts that fit. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { hashWith, says } from "./app";
import { neededWidth, reopen, seriousViolations, useBrowser } from "./browser";
import { wrongTexts } from "./texts";

const visit = useBrowser();

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
  { width: 320, height: 700 },
];

const strip = (page: Page) => page.locator(".welcome-strip");
const language = (page: Page) =>
  page.evaluate(() => document.documentElement.lang);

test("a_first_visit_offers_the_language_of_the_browser_and_links_keep_it", async () => {
  const { page, problems } = await visit("?test", {
    isNewcomer: true,
    locale: "zh-CN",
  });
  await says(strip(page), "The address is virtual");
  expect(await language(page)).toBe("en");
  await page.getByRole("button", { name: "中文版" }).click();
  await says(strip(page), "这个地址是虚拟的");
  expect(await language(page)).toBe("zh");
  expect(await page.getByRole("button", { name: "中文版" }).count()).toBe(0);
  await page.keyboard.press("ArrowRight");
  await says(strip(page), "PML4 表项 254");
  await page.getByRole("button", { name: "页表项 (entry)" }).click();
  await says(page.getByRole("dialog"), "表中的八个字节");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "术语表" }).first().click();
  await hashWith(page, "screen=glossary");
  expect(new URL(page.url()).searchParams.get("lang")).toBe("zh");
  await says(page.locator("main"), "又小又快的缓存");
  expect(await page.title()).toBe("术语表 · Pagewalk");
  expect(await seriousViolations(page)).toEqual([]);
  // The reader's choice stays without the word in the address, and comes back into it.
  await reopen(page, "?test#screen=glossary");
  await says(page.locator("main"), "又小又快的缓存");
  expect(new URL(page.url()).searchParams.get("lang")).toBe("zh");
  await page.getByRole("button", { name: "帮助" }).click();
  await page.getByRole("radio", { name: "English" }).click();
  await says(page.locator("main"), "A small, fast cache");
  expect(new URL(page.url()).searchParams.get("lang")).toBeNull();
  expect(problems).toEqual([]);
});

test.each([
  ["zh", "组"],
  ["ko", "집합"],
])("texts_in_%s_fit", async (lang, typed) => {
  const { page } = await visit(`?test&lang=${lang}`, { isNewcomer: true });
  await strip(page).locator("h3").first().waitFor();
  for (const press of ["", "ArrowRight", "ArrowRight"]) {
    if (press) await page.keyboard.press(press);
    for (const size of SIZES) await fits(page, size);
  }
  await page.goto(`${page.url().split("#")[0]}#screen=glossary`);
  await page.getByRole("searchbox").fill(typed);
  for (const size of SIZES) await fits(page, size);
});

async function fits(page: Page, size: { width: number; height: number }) {
  await page.setViewportSize(size);
  expect(
    await wrongTexts(
      page,
      ".header, .welcome-strip, .welcome-tlb > p, .glossary",
    ),
    `${size.width}`,
  ).toEqual([]);
  expect(await neededWidth(page)).toBeLessThanOrEqual(size.width);
}

test("texts_that_are_a_third_longer_fit", async () => {
  const { page } = await visit("?test", { isNewcomer: true });
  await says(strip(page), "The address is virtual");
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.evaluate(() => {
      for (const root of document.querySelectorAll(".header, .welcome-strip")) {
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const node = texts.currentNode as Text;
          const { parentElement } = node;
          if (!parentElement || parentElement.dataset["long"]) continue;
          parentElement.dataset["long"] = "yes";
          const { data } = node;
          node.data = data + data.slice(0, Math.ceil(data.length * 0.3));
        }
      }
    });
    await fits(page, size);
  }
});

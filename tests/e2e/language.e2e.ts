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

const PARTS = [
  ".header",
  ".welcome-strip",
  ".welcome-tlb > p",
  ".glossary",
  ".learn",
  ".lesson-strip > :not(.lesson-buttons, .question)",
  ".lesson-head",
  ".back-strip",
].join();

/** The buttons and the question of a lesson float above the rest of a phone. */
const FLOATING = [".lesson-buttons", ".question"];

async function fits(page: Page, size: { width: number; height: number }) {
  await page.setViewportSize(size);
  for (const where of [PARTS, ...FLOATING])
    expect(await wrongTexts(page, where), `${size.width}`).toEqual([]);
  expect(await neededWidth(page)).toBeLessThanOrEqual(size.width);
}

/** Makes each text a third longer that is not longer already. */
async function lengthen(page: Page) {
  await page.evaluate(
    (where) => {
      for (const root of document.querySelectorAll(where)) {
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
    },
    [PARTS, ...FLOATING].join(),
  );
}

test("texts_that_are_a_third_longer_fit", async () => {
  const { page } = await visit("?test", { isNewcomer: true });
  await says(strip(page), "The address is virtual");
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await lengthen(page);
    await fits(page, size);
  }
});

const LESSON = "#screen=learn&lesson=cut-the-address";

/** Opens a question, asks for a hint, and gives a wrong answer. */
async function answerWrong(page: Page) {
  await page.locator(".question-choices input").first().waitFor();
  await page.locator("header .question-hint").click();
  const choices = page.locator(".question-choices label");
  await choices.filter({ hasText: /^0/ }).click();
  await page.locator(".question-run .btn").click();
  await page.locator(".question-verdict").waitFor();
}

test.each(["en", "zh", "ko"])("lessons_in_%s_fit", async (lang) => {
  const isLong = lang === "en";
  const { page } = await visit(`?test&lang=${lang}#screen=learn`);
  const fitsEverywhere = async () => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      if (isLong) await lengthen(page);
      await fits(page, size);
    }
  };
  await page.locator(".learn-list li").first().waitFor();
  await fitsEverywhere();
  const own = `?test&lang=${lang}${LESSON}`;
  await reopen(page, `${own}&step=3`);
  await answerWrong(page);
  await fitsEverywhere();
  await reopen(page, `${own}&step=8`);
  await page.locator(".lesson-change").waitFor();
  await fitsEverywhere();
  await page.locator(".lesson-tools .btn").last().click();
  await page.locator(".back-strip").waitFor();
  await fitsEverywhere();
});

test("another_language_keeps_the_step_of_a_lesson_and_its_answer", async () => {
  const { page, problems } = await visit(`?test&lang=zh${LESSON}&step=3`);
  const lesson = page.locator(".lesson-strip");
  await answerWrong(page);
  await says(lesson, "在哪一组");
  await says(lesson, "0：不对。");
  expect(await page.locator(".lesson-picture").getAttribute("lang")).toBe("en");
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "帮助" }).click();
  await page.getByRole("radio", { name: "한국어" }).click();
  await page.keyboard.press("Escape");
  await says(lesson, "어느 집합일까");
  await says(lesson, "0: 아닙니다.");
  await hashWith(page, "lesson=cut-the-address&step=3");
  await page.getByRole("button", { name: "도움말" }).click();
  await page.getByRole("button", { name: "단축키" }).click();
  const keys = page.getByRole("dialog");
  await says(keys, "Keys");
  expect(await keys.getAttribute("lang")).toBe("en");
  expect(problems).toEqual([]);
});

/** Every lesson from its first step to its last, at three sizes and in both themes. Nothing is cut, wide or tiny. */
import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { state } from "./app";
import { SIZES, cutTexts, neededWidth, settled, useBrowser } from "./browser";

const visit = useBrowser();

/** A folder for pictures of all steps, for people to look at. */
const PICTURES = process.env["LESSON_PICTURES"];
if (PICTURES) mkdirSync(PICTURES, { recursive: true });

const LESSONS = [
  "one-page-one-translation",
  "cut-the-address",
  "miss-table-fault",
  "why-a-tree",
  "four-steps",
  "what-a-hit-saves",
  "sets-and-victims",
  "reach-and-cliff",
  "rows-and-columns",
  "bigger-pages",
  "walk-caches",
  "rights-and-flags",
  "switch-and-shootdown",
  "virtual-machines",
  "measure",
];

test("all_lessons_are_listed", async () => {
  const { page } = await visit("?test#screen=learn");
  await page.locator(".learn-list a").first().waitFor();
  const learn = await state(page, "learn");
  expect(learn?.lessons.map(({ lesson }) => lesson.id)).toEqual(LESSONS);
});

test.each(LESSONS)("%s_is_whole_at_each_size", async (lesson) => {
  const { page, problems } = await visit(
    `?test#screen=learn&lesson=${lesson}&step=1`,
  );
  const wrong: string[] = [];
  for (let step = 1; ; step++) {
    await shown(page, step);
    for (const { width, height } of SIZES) {
      const colorScheme = (step + width) % 4 < 2 ? "light" : "dark";
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      const found = await wrongWith(page, width);
      wrong.push(...found.map((each) => `step ${step}, ${width}: ${each}`));
      await photograph(page, `${lesson}-${step}-${width}-${colorScheme}`);
      // One size answers, and the other sizes show the access before and after it.
      if (width === 1024) await answer(page);
    }
    const next = page.locator(".lesson-buttons .btn").last();
    if ((await next.textContent())?.trim() !== "Next step") break;
    await next.click();
  }
  expect(wrong).toEqual([]);
  expect(problems).toEqual([]);
});

/** Waits until a step has its picture, and its question is posed. */
async function shown(page: Page, step: number): Promise<void> {
  await page.waitForFunction((step) => {
    const learn = window.__pagewalk?.store.getState().learn;
    const { shown, question, at } = learn ?? {};
    const isPosed = !question || question.posed !== undefined;
    return at?.step === step && shown?.step === step && isPosed;
  }, step);
  await page.locator(".lesson-live[aria-busy=false]").waitFor();
}

/** Answers the question of a step: by a press in the picture if that is possible, or else by keys. */
async function answer(page: Page): Promise<void> {
  const question = page.locator(".question");
  if ((await question.count()) === 0) return;
  const heads = page.locator(".tlb-head-set");
  const slots = page.locator(".lesson-picture .tlb-slot");
  const canPress = (await page.locator(".question-press").count()) > 0;
  if (canPress && (await heads.count()) > 0) await heads.first().click();
  else if (canPress) await slots.first().click();
  else if ((await page.locator(".question-choices").count()) > 0)
    await page.keyboard.press("1");
  else await page.locator(".question-number input").fill("1");
  await page.locator(".answer-bar b").waitFor();
  await page.locator(".question-run .btn").click();
  await page.locator(".question-verdict").waitFor();
  const reveal = page.getByRole("button", { name: "Show the answer" });
  if ((await reveal.count()) > 0) await reveal.click();
  await page.locator(".answer-bar").waitFor({ state: "detached" });
}

async function wrongWith(page: Page, width: number): Promise<string[]> {
  const cut = await cutTexts(page, ".lesson");
  const needed = await neededWidth(page);
  return [
    ...(needed > width ? [`needs ${needed} px`] : []),
    ...cut.map((text) => `cut: ${text}`),
    ...(await tinyTexts(page)),
  ];
}

/** The smallest text that a lesson may have, in CSS pixels. */
const LEAST = 12;

function tinyTexts(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const texts = document.querySelectorAll(
      ".lesson :is(text, p, span, b, code, td, th, dt, dd, button, kbd)",
    );
    const sizeOf = (element: Element) => {
      const { fontSize } = getComputedStyle(element);
      const scale =
        element instanceof SVGTextElement
          ? (element.getScreenCTM()?.a ?? 1)
          : (element as HTMLElement).currentCSSZoom;
      return parseFloat(fontSize) * scale;
    };
    return [...texts]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }))
      .filter((each) => !each.closest(".visually-hidden"))
      .filter(({ childNodes }) =>
        [...childNodes].some(
          ({ nodeType, nodeValue }) =>
            nodeType === Node.TEXT_NODE && nodeValue?.trim(),
        ),
      )
      .filter((each) => sizeOf(each) < least - 0.3)
      .map((each) => `${sizeOf(each).toFixed(1)} px: ${each.textContent}`);
  }, LEAST);
}

async function photograph(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  await settled(page);
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

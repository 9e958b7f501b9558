/** A lesson by keyboard, from the list into the replay and back. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { hashWith, ready, says } from "./app";
import { seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

const title = (page: Page) => page.locator(".lesson-text h2");

test("a_lesson_is_read_by_keyboard_and_opens_in_the_replay_and_back", async () => {
  const { page, problems } = await visit("?test#screen=learn");
  const lesson = page.getByRole("link", { name: "Cut the address" });
  await lesson.focus();
  await page.keyboard.press("Enter");
  await hashWith(page, "lesson=cut-the-address&step=1");
  await says(title(page), "Two parts");
  await page.locator(".lesson-picture").waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  const offset = page.locator(".lesson-text").getByText("offset");
  await offset.hover();
  const field = page.locator(".access-field[data-object='offset'] rect");
  await expect
    .poll(() => field.evaluate((box) => getComputedStyle(box).stroke))
    .toMatch(/^rgb/);
  await page.keyboard.press("ArrowRight");
  await says(title(page), "The page number");
  await page.keyboard.press("ArrowLeft");
  await says(title(page), "Two parts");
  await page.getByRole("button", { name: "Open in Replay" }).focus();
  await page.keyboard.press("Enter");
  await hashWith(page, "lesson=cut-the-address&step=1&");
  await ready(page);
  await page.getByRole("link", { name: /Back to the lesson/ }).focus();
  await page.keyboard.press("Enter");
  await says(title(page), "Two parts");
  expect(problems).toEqual([]);
});

test("a_question_is_answered_by_keyboard_before_the_access_runs", async () => {
  const { page, problems } = await visit(
    "?test#screen=learn&lesson=cut-the-address&step=3",
  );
  const question = page.locator(".question");
  await page.locator(".question-choices input").first().waitFor();
  const choices = await page
    .locator(".question-choices label > span")
    .allTextContents();
  const key = (answer: string) => String(choices.indexOf(answer) + 1);
  const next = page.getByRole("button", { name: "Next step" });
  expect(await next.getAttribute("aria-disabled")).toBe("true");
  const wrong = choices.find((choice) => choice !== "3") ?? "";
  // The choices are on the screen a moment before their keys work.
  const chosen = page.locator(".question-choices input:checked");
  await expect
    .poll(async () => {
      await page.keyboard.press(key(wrong));
      return chosen.count();
    })
    .toBe(1);
  await page.keyboard.press("Enter");
  await says(question, `${wrong}: not so.`);
  expect(await page.locator(".lesson-picture[data-before]").count()).toBe(1);
  await page.keyboard.press(key("3"));
  await page.keyboard.press("Enter");
  await says(question, "Right. Set 3");
  expect(await page.locator(".lesson-picture[data-before]").count()).toBe(0);
  expect(await seriousViolations(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test("a_lesson_is_printed_as_a_document_with_its_answers", async () => {
  const { page, problems } = await visit("?test#screen=learn");
  await page.evaluate(() => (window.print = () => {}));
  await page.getByRole("link", { name: "Cut the address" }).click();
  await page.locator(".lesson-live[aria-busy=false]").waitFor();
  await page.getByRole("button", { name: "Print" }).click();
  const sheet = page.locator(".answer-sheet");
  await says(sheet, "Set 3");
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".header").isVisible()).toBe(false);
  const printed = page.locator(".lesson-print");
  expect(await page.locator(".lesson-print > section > h2").count()).toBe(9);
  expect(await printed.locator(".lesson-picture").count()).toBe(8);
  const questions = printed.locator(".printed-question");
  expect(await questions.count()).toBe(6);
  await says(questions.nth(1), /set/);
  expect(
    await sheet.evaluate((each) => getComputedStyle(each).breakBefore),
  ).toBe("page");
  expect(problems).toEqual([]);
});

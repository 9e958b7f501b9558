/** Links, frames and sizes for others: what one person copies, another opens. */
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { drop, hashWith, lackey, ready, says, state } from "./app";
import {
  cutTexts,
  looksWell,
  neededWidth,
  settled,
  SIZES,
  useBrowser,
} from "./browser";

const visit = useBrowser();

async function copied(page: Page, what: RegExp): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: what }).click();
  await page.getByText(/copied\.$/).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

test("a_small_text_opens_for_somebody_else_with_the_same_contents", async () => {
  const { page } = await visit("?test");
  await ready(page);
  await drop(page, "mine.lackey", lackey([3, 5, 3, 7]));
  await hashWith(page, "hash=");
  await ready(page);
  const link = await copied(page, /^Copy link/);
  expect(link).toContain("&data=1.text.");
  const other = await visit(new URL(link).search + new URL(link).hash);
  await ready(other.page);
  await expect.poll(() => state(other.page, "hash")).toBeTypeOf("string");
  for (const part of ["hash", "carried", "cursor"] as const)
    expect(await state(other.page, part)).toEqual(await state(page, part));
  expect((await state(other.page, "trace"))?.name).toBe("mine.lackey");
  expect(await state(other.page, "notices")).toEqual([]);
  expect(other.problems).toEqual([]);
});

test("a_trace_that_a_link_cannot_carry_is_told_before_it_is_copied", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const pages = Array.from({ length: 9000 }, (_, i) => (i * 7919 * i) % 99991);
  await drop(page, "large.lackey", lackey(pages));
  await hashWith(page, "hash=");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await says(page.getByRole("note"), "Others cannot open “large.lackey”");
  await looksWell(page, SIZES.slice(0, 2));
});

test("the_trace_at_an_address_of_the_site_is_fetched_after_a_press", async () => {
  const { page, requests, problems } = await visit(
    "?test#trace=traces/matmul24.pagewalk.gz&access=77",
  );
  const fetch = page.getByRole("button", { name: /^Fetch from/ });
  await fetch.waitFor();
  await ready(page);
  expect(await state(page, "builtIn")).toBe("chase");
  await looksWell(page, SIZES);
  await fetch.click();
  await expect
    .poll(async () => (await state(page, "trace"))?.name)
    .toBe("matmul24.pagewalk.gz");
  await ready(page);
  expect(await state(page, "cursor")).toBe(77);
  expect(
    requests.every(
      (url) =>
        url.startsWith(new URL(inject("site")).origin) ||
        url.startsWith("data:") ||
        url.startsWith("blob:"),
    ),
  ).toBe(true);
  expect(problems).toEqual([]);
});

test("a_missing_file_at_an_address_is_told_in_the_dialog", async () => {
  const { page } = await visit("?test#trace=traces/none.gz");
  await page.getByRole("button", { name: /^Fetch from/ }).click();
  await says(page.getByRole("alert"), "its server has no such file (404).");
});

/** A view, the trace of its link, and what it shows last. */
const FRAMES = [
  ["walk", "trace=chase&access=2", ".walk-svg"],
  ["walk", "trace=chase&access=42025", ".walk-step"],
  ["tlb", "trace=chase&access=42025", ".tlb-head"],
  ["code", "", ".code-numbers"],
] as const;

test.each(FRAMES)(
  "the_%s_of_“%s”_fits_a_frame_of_600_by_340",
  async (embed, link, last) => {
    const { page } = await visit();
    const around = `${inject("site")}around.html`;
    await page.route(around, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<script>
          addEventListener("message", ({ data }) => (window.told = data));
        </script>
        <iframe width="600" height="340" style="border: 0"
          src="./?test&embed=${embed}&theme=dark#${link}"></iframe>`,
      }),
    );
    await page.goto(around);
    const frame = page.frameLocator("iframe");
    await frame.locator(last).waitFor();
    const inside = page.frames().at(-1);
    if (!inside) throw new Error("There is no frame.");
    await settled(page);
    await expect
      .poll(() => page.evaluate(() => (window as { told?: unknown }).told))
      .toMatchObject({ type: "pagewalk:height" });
    const told = await page.evaluate(
      () => (window as { told?: { height: number } }).told?.height ?? 0,
    );
    expect(told).toBeGreaterThan(200);
    expect(told).toBeLessThanOrEqual(340);
    const cut = await inside.evaluate(() =>
      [...document.querySelectorAll(".embed text, .embed button, .embed a")]
        // The code and the run of a program scroll.
        .filter((element) => !element.closest(".code-screen"))
        .filter((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          return left < 0 || right > 600 || top < 0 || bottom > 340;
        })
        .map((element) => element.textContent),
    );
    expect(cut).toEqual([]);
    expect(
      await inside.evaluate(() => document.documentElement.dataset.theme),
    ).toBe("dark");
  },
);

test.each([600, 390])("a_lesson_runs_in_a_frame_of_%i", async (width) => {
  const { page, problems } = await visit(
    "?test&embed=lesson#screen=learn&lesson=cut-the-address&step=3",
    { viewport: { width, height: 340 } },
  );
  expect(await page.locator(".header").count()).toBe(0);
  await page.locator(".tlb-head-set").nth(3).click();
  await page.locator(".question-run .btn").click();
  await says(page.locator(".question-verdict"), "Set 3");
  await page.getByRole("button", { name: "Next step" }).click();
  await says(page.locator(".lesson-text h2"), "The tag");
  expect(await cutTexts(page, ".embed")).toEqual([]);
  expect(await neededWidth(page)).toBeLessThanOrEqual(width);
  const open = page.getByRole("link", { name: "Open in Pagewalk" });
  await open.focus();
  expect(await open.getAttribute("href")).toMatch(
    /\?test=#screen=learn&lesson=cut-the-address&step=4/,
  );
  expect(problems).toEqual([]);
});

test("a_frame_steps_through_its_trace", async () => {
  const { page } = await visit("?embed=walk#trace=chase&access=2");
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await page.getByText("access 3").waitFor();
});

test("larger_text_for_a_projector_fits_the_page", async () => {
  const { page } = await visit("?test#view=projector");
  await ready(page);
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(size);
    await settled(page);
    expect(await neededWidth(page)).toBeLessThanOrEqual(size.width);
  }
  const px = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  expect(await px()).toBe("20px");
  await page.keyboard.press("p");
  expect(await px()).toBe("16px");
});

test("a_phone_has_Share_in_the_menu_of_screens", async () => {
  const { page, problems } = await visit("?test");
  await page.setViewportSize({ width: 390, height: 844 });
  await ready(page);
  await page.getByRole("button", { name: /^Menu/ }).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: /^Copy link/ }).waitFor();
  await looksWell(page, SIZES.slice(0, 2));
  expect(problems).toEqual([]);
});

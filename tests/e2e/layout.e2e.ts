import { expect, test } from "vitest";
import { cursor, drop, lackey, ready, says, step } from "./app";
import {
  boxOf,
  cutTexts,
  neededHeight,
  neededWidth,
  settled,
  useBrowser,
} from "./browser";

const visit = useBrowser();

/** From a desktop screen to a phone. */
const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 1280, height: 900 },
  { width: 1280, height: 720 },
  { width: 1024, height: 768 },
  { width: 900, height: 700 },
  { width: 700, height: 800 },
  { width: 390, height: 844 },
];

test.each([
  ["a first touch", "#access=0"],
  ["a hit", "#access=1000"],
  ["a nested walk", "#virt=ept&access=0"],
  ["a long trail", "#cpu=arm-neoverse-v2&pages=64K"],
  ["a fork", "#trace=shootdown&cores=cpu&access=82"],
  ["an mprotect", "#trace=shootdown&cores=cpu&access=76&cpu=arm-neoverse-v2"],
  ["CS:APP", "#trace=csapp&cpu=csapp-14bit"],
  ["OSTEP", "#trace=ostep&cpu=ostep-16-byte"],
  ["x86-32", "#cpu=x86-32"],
  ["Sv39", "#cpu=riscv-sv39"],
])("at_%s_every_text_is_whole_and_the_timeline_in_sight", async (_, hash) => {
  const { page } = await visit(`?test${hash}`);
  await ready(page);
  for (const size of WINDOWS) {
    await page.setViewportSize(size);
    const where = `${size.width} × ${size.height}`;
    expect(await cutTexts(page, ".header, main"), where).toEqual([]);
    expect(await neededWidth(page), where).toBeLessThanOrEqual(size.width);
    if (size.width < 1024) continue;
    expect(await neededHeight(page), where).toBeLessThanOrEqual(size.height);
  }
});

test.each([
  ["a walk", ""],
  ["a nested walk", "#virt=ept&access=0"],
])("on_a_projector_%s_is_larger_and_the_timeline_in_sight", async (_, hash) => {
  const { page } = await visit(`?test${hash}`);
  await ready(page);
  const letters = async () =>
    (await boxOf(page.locator(".walk-svg text").first())).height;
  const usual = await letters();
  await page.keyboard.press("p");
  await expect.poll(letters).toBeGreaterThan(1.1 * usual);
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(size);
    await settled(page);
    expect(await neededHeight(page)).toBeLessThanOrEqual(size.height);
  }
});

test("page_numbers_and_the_entry_are_whole_on_a_small_notebook", async () => {
  const { page } = await visit("?test#access=250372");
  await ready(page);
  const strip = page.locator(".tlb-map-canvas");
  expect((await boxOf(strip)).height).toBeGreaterThanOrEqual(12 * 7);
  await page.setViewportSize({ width: 1024, height: 768 });
  const cells = page.locator(".tlb-cells").first();
  // The digits of a page number are in two lines.
  await expect
    .poll(() => cells.locator("text.ink-walk.b").allTextContents())
    .toEqual(["4b", "cc"]);
  const { value } = (await step(page)).translations[0]?.levels.at(-1) ?? {};
  await says(
    page.getByRole("region", { name: "Step of the walk" }),
    `${value}  P W U A D`,
  );
});

test("the_rest_of_an_operation_is_one_click_away", async () => {
  const { page } = await visit("?test#trace=shootdown&cores=cpu&access=82");
  await ready(page);
  await page.setViewportSize({ width: 1440, height: 1000 });
  const band = page.getByRole("region", { name: /^Operations/ });
  expect((await band.boundingBox())?.height).toBeLessThanOrEqual(64);
  await band
    .getByRole("button", { name: "Tables: 20 entries changed" })
    .click();
  const entries = page.getByRole("dialog").getByRole("listitem");
  await expect.poll(() => entries.count()).toBeGreaterThan(4);
});

test("a_reader_skips_the_header_and_goes_on_by_keys_after_a_search", async () => {
  const { page } = await visit("?test#access=1000");
  await ready(page);
  const focus = () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(focus).toBe("Tables of the walk");
  await page.getByRole("button", { name: "find a page" }).click();
  const field = page.getByRole("dialog").getByRole("textbox");
  await field.fill("2000");
  await field.press("Enter");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain("find a page");
  await page.mouse.click(5, 895);
  await page.keyboard.press("/");
  await field.fill("2100");
  await field.press("Enter");
  await field.waitFor({ state: "detached" });
  // The pictures take the focus two frames after the dialog has closed.
  await expect
    .poll(() => page.evaluate(() => document.activeElement === document.body))
    .toBe(false);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => cursor(page)).toBe(2101);
  // The next stop is the panel of the walk, not the top of the page.
  await page.keyboard.press("Tab");
  const inPanels = () =>
    page.evaluate(
      () => document.activeElement?.closest(".replay-panels") !== null,
    );
  await expect.poll(inPanels).toBe(true);
});

test("the_summary_of_an_import_leaves_the_timeline", async () => {
  const { page } = await visit("?test");
  await ready(page);
  await drop(page, "four.log", lackey([1, 2, 3, 1]));
  await page.getByTestId("import-summary").waitFor();
  await page.getByRole("button", { name: "import", exact: true }).waitFor();
  expect(await page.getByTestId("import-summary").count()).toBe(0);
  expect(await neededWidth(page)).toBeLessThanOrEqual(1440);
});

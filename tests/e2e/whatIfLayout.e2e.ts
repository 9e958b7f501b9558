/** The layout of What-if with numbers of seven and more digits. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SCRIPT_EXAMPLES } from "../../src/model/code/scriptExamples";
import { ready, says } from "./app";
import { neededWidth, useBrowser } from "./browser";
import { wrongTexts } from "./texts";

const visit = useBrowser();

const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

/** Opens the program over columns, with 1,048,064 walks in 512 columns, as the trace of What-if. */
async function openColumns(): Promise<Page> {
  const all = SCRIPT_EXAMPLES.find(({ id }) => id === "columns")?.code ?? "";
  const code = all.replace("j < n", "j < 512");
  const { page } = await visit("?test#screen=code");
  await ready(page);
  await page.evaluate(async (code) => {
    const { actions } = window.__pagewalk ?? {};
    actions?.editProgram(0, { name: "columns", code });
    await actions?.runProgram(0);
    await actions?.openProgram(0);
  }, code);
  await ready(page);
  await page.evaluate(() => (location.hash = "screen=what-if"));
  await page.getByTestId("what-if").waitFor();
  return page;
}

/** Waits until each panel has its result. */
async function complete(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const cells = document.querySelectorAll(".wi-effect, .wi .number");
    return (
      cells.length > 20 &&
      !document.querySelector(".wi-pending") &&
      [...cells].every(({ textContent }) => !textContent.includes("…"))
    );
  });
}

async function expectWhole(page: Page): Promise<void> {
  for (const size of WINDOWS) {
    await page.setViewportSize(size);
    const where = `${size.width} × ${size.height}`;
    expect(await wrongTexts(page, ".wi"), where).toEqual([]);
    expect(await neededWidth(page), where).toBeLessThanOrEqual(size.width);
  }
}

test("every_text_is_whole_with_millions_of_walks", async () => {
  const page = await openColumns();
  const effect = page.getByRole("region", { name: "Effect" });
  await says(effect, "1,048,064");
  await complete(page);
  await expectWhole(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("slider", { name: /^STLB, sets/ }).focus();
  for (let n = 0; n < 2; n += 1) await page.keyboard.press("ArrowRight");
  await says(effect, /1,048,064→2,048/);
  await complete(page);
  // The map counts other arrays, and says so beside the cell of the tried shape.
  const map = page.getByRole("region", { name: "STLB misses, sets × ways" });
  await says(map, "low bits, LRU");
  await says(
    map,
    "The STLB that you try has an xor index and mru3-plru4 replacement: its counts are under “Effect”",
  );
  await expectWhole(page);
});

test.each(["chase", "matmul24"])(
  "every_text_is_whole_for_%s",
  async (trace) => {
    const { page } = await visit(`?test#trace=${trace}&screen=what-if`);
    await ready(page);
    await page.getByTestId("what-if").waitFor();
    await complete(page);
    await page.getByRole("slider", { name: /^STLB, ways/ }).focus();
    for (let n = 0; n < 2; n += 1) await page.keyboard.press("ArrowRight");
    await says(page.locator(".wi-effect"), /Effect of 1 change/);
    await complete(page);
    await expectWhole(page);
  },
);

/** Tests of the counted part of a trace: it is chosen by brush, shown by the totals, kept in the link, and cleared. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { hashWith, ready, state } from "./app";
import { boxOf, seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

/** The window and the accesses of a report that is of this window. */
async function counted(page: Page) {
  await ready(page);
  const configuration = await state(page, "configuration");
  const report = await state(page, "report");
  return {
    window: configuration?.setup.window,
    accesses: report?.trace.accesses,
  };
}

test("a_brush_sets_warm_up_and_window_the_totals_follow_and_the_link_keeps_them", async () => {
  const { page } = await visit("?test");
  const before = await counted(page);
  expect(before.window).toBeUndefined();
  const n = before.accesses ?? 0;
  const box = await boxOf(page.locator(".timeline-surface"));
  const at = (share: number) => box.x + box.width * share;
  const y = box.y + box.height / 3;
  await page.keyboard.down("Shift");
  await page.mouse.move(at(0.25), y);
  await page.mouse.down();
  await page.mouse.move(at(0.4), y, { steps: 3 });
  await page.mouse.move(at(0.5), y, { steps: 3 });
  await page.getByText(/^count [\d,]+ – [\d,]+$/).waitFor();
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.waitForFunction(
    () => window.__pagewalk?.store.getState().configuration?.setup.window,
  );
  const { window: chosen, accesses } = await counted(page);
  if (!chosen) throw new Error("Nothing was chosen.");
  const { skip, warmup, limit = 0 } = chosen;
  expect(skip).toBe(0);
  expect(warmup / n).toBeCloseTo(0.25, 1);
  expect(limit / n).toBeCloseTo(0.25, 1);
  expect(accesses).toBe(limit);
  // The timeline and the line of totals say what is counted.
  await page.locator(".timeline-uncounted.warm").waitFor();
  const text = limit.toLocaleString("en");
  await page.getByRole("button", { name: `Count: ${text} accesses` }).waitFor();
  await page
    .getByText(`${text} of ${n.toLocaleString("en")} counted`)
    .first()
    .waitFor();
  expect(await seriousViolations(page)).toEqual([]);

  const hash = await hashWith(page, "count=0,");
  const { page: reopened } = await visit(`?test${hash}`);
  expect(await counted(reopened)).toEqual({ window: chosen, accesses: limit });

  await reopened.getByRole("button", { name: /^Count:/ }).click();
  await reopened.getByRole("button", { name: "Count all" }).click();
  await reopened.waitForFunction(
    () => !window.__pagewalk?.store.getState().configuration?.setup.window,
  );
  expect(await counted(reopened)).toEqual({ window: undefined, accesses: n });
  const uncounted = reopened.locator(".timeline-uncounted");
  await expect.poll(() => uncounted.count()).toBe(0);
  await reopened.waitForFunction(() => !location.hash.includes("count="));
});

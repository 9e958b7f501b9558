import { expect, test } from "vitest";
import { ready, says, state } from "./app";
import { seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

const SAMPLED = "tests/fixtures/traces/perf/script/bp-touch.full.txt.gz";

test("misses_are_told_by_region_and_a_row_filters_the_timeline", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await page.getByRole("button", { name: "Totals" }).click();
  await page.getByRole("radio", { name: "Breakdown" }).check();
  const table = page.getByRole("table", { name: "Misses by regions" });
  await table.waitFor();
  const density = async () =>
    page.evaluate(() => {
      const { timeline } = window.__pagewalk?.store.getState() ?? {};
      return timeline?.density.reduce((sum, n) => sum + n, 0);
    });
  const all = await density();
  const row = table.getByRole("rowheader").first().getByRole("button");
  await row.click();
  await page.waitForFunction((all) => {
    const { timeline } = window.__pagewalk?.store.getState() ?? {};
    const shown = timeline?.density.reduce((sum, n) => sum + n, 0) ?? 0;
    return shown > 0 && shown < (all ?? 0);
  }, all);
  const attribution = await state(page, "attribution");
  const first = attribution?.view?.regions.rows[0]?.accesses;
  await expect.poll(density).toBe(first);
  expect(await seriousViolations(page)).toEqual([]);
  await page
    .getByTestId("timeline")
    .getByRole("button", { name: /^Show all accesses/ })
    .click();
  await page.waitForFunction((all) => {
    const { timeline } = window.__pagewalk?.store.getState() ?? {};
    return timeline?.density.reduce((sum, n) => sum + n, 0) === all;
  }, all);
  await page.getByRole("radio", { name: "instruction" }).check();
  await page.getByRole("table", { name: "Misses by instructions" }).waitFor();
  expect(problems).toEqual([]);
});

test("everything_that_an_incomplete_trace_gives_carries_its_tag", async () => {
  const { page } = await visit("?test");
  await ready(page);
  expect(await page.locator(".trace-tag").count()).toBe(0);
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByTestId("import-file").setInputFiles(SAMPLED);
  await page.getByRole("button", { name: /^Open as a sample/ }).click();
  await page.waitForFunction(
    () =>
      window.__pagewalk?.store.getState().trace?.import.format ===
      "perf-script",
  );
  const screens = page.getByRole("navigation", { name: "Screens" });
  await screens.getByRole("link", { name: "Replay" }).click();
  await page.getByRole("button", { name: "Replay as if consecutive" }).click();
  await page.getByTestId("access").waitFor();
  await ready(page);
  const { completeness } = (await state(page, "trace"))?.import ?? {};
  expect(completeness).toBe("sampled");
  const tagged = async (where: ReturnType<typeof page.locator>) => {
    const tag = where.locator(".trace-tag").first();
    await expect.poll(() => tag.textContent()).toBe("sampled");
  };
  await tagged(page.getByTestId("access"));
  await tagged(page.locator(".walk"));
  await tagged(page.locator(".tlb-head"));
  await tagged(page.getByTestId("timeline"));
  await says(page.locator(".trace-bar"), "sampled");
  await page.getByRole("button", { name: "Totals" }).click();
  const drawer = page.getByRole("complementary", { name: "Totals of the run" });
  await tagged(drawer);
  await page.getByRole("radio", { name: "Breakdown" }).check();
  await drawer.getByRole("table", { name: "Misses by regions" }).waitFor();
  await tagged(drawer);
  expect(await seriousViolations(page)).toEqual([]);
  // A symbol leads to the accesses of its instructions.
  await page.getByRole("radio", { name: "symbol" }).check();
  const symbols = page.getByRole("table", { name: "Misses by symbols" });
  const main = symbols.getByRole("button", { name: /^main/ });
  await main.click();
  const all = page
    .getByTestId("timeline")
    .getByRole("button", { name: /^Show all accesses/ });
  await all.waitFor();
  const { attribution, only } = {
    attribution: await state(page, "attribution"),
    only: await state(page, "only"),
  };
  const row = attribution?.view?.symbols.rows.find(
    ({ name }) => name === "main",
  );
  expect(only?.filter).toMatchObject({
    by: "instruction",
    start: row?.start,
    end: row?.end,
  });
  await page.waitForFunction((accesses) => {
    const { timeline } = window.__pagewalk?.store.getState() ?? {};
    return timeline?.density.reduce((sum, n) => sum + n, 0) === accesses;
  }, row?.accesses);
  await expect.poll(() => main.getAttribute("aria-pressed")).toBe("true");
  await main.click();
  await all.waitFor({ state: "detached" });
});

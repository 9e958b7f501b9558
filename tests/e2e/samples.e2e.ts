import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { drop, hashWith, ready, state } from "./app";
import { looksWell, neededWidth, settled, useBrowser } from "./browser";

const visit = useBrowser();

/** Drops a recording, and takes it as the dialog proposes. */
async function dropFixture(page: Page, name: string): Promise<void> {
  const file = new URL(`../fixtures/traces/perf/${name}`, import.meta.url);
  await drop(page, name.split("/").at(-1) ?? name, await readFile(file));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Open (as|the)/ }).click();
}

/** Resolves when the samples are counted. */
async function counted(page: Page): Promise<void> {
  await page.waitForFunction(
    () => window.__pagewalk?.store.getState().survey?.status === "done",
  );
}

test("dropped_samples_open_on_their_screen_and_are_still_there_after_a_reload", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await dropFixture(page, "data/quipper-weight_struct.gz");
  const samples = page.getByTestId("samples");
  await counted(page);
  const found = samples.getByRole("region", {
    name: "Where translations were found",
  });
  await found.getByText("slow accesses only", { exact: true }).waitFor();
  await found.getByText(/“L1 or L2 hit” is one class/).waitFor();
  const tables = () => samples.getByRole("table").count();
  await expect.poll(tables).toBeGreaterThan(2);
  // The file is stored when its hash is known, and then the address names it.
  expect(await hashWith(page, "hash=")).toContain("screen=samples");
  await page.reload();
  await counted(page);
  await found.getByText("slow accesses only", { exact: true }).waitFor();
  expect(await state(page, "trace")).toMatchObject({
    name: "quipper-weight_struct.gz",
    samples: 14,
  });
  expect(problems).toEqual([]);
});

test("samples_are_replayed_only_when_that_is_asked_for_and_the_tag_stays", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await dropFixture(page, "data/quipper-weight_struct.gz");
  await counted(page);
  const screens = page.getByRole("navigation", { name: "Screens" });
  await screens.getByRole("link", { name: "Replay" }).click();
  await page.getByText("These are samples, not a stream of accesses").waitFor();
  expect(await page.getByTestId("timeline").count()).toBe(0);
  await page.getByRole("button", { name: "Replay as if consecutive" }).click();
  await page.getByTestId("timeline").waitFor();
  await ready(page);
  await page.getByText("slow accesses only, as if consecutive").waitFor();
  expect(problems).toEqual([]);
});

test("samples_are_compared_only_when_that_is_asked_for_and_every_panel_has_the_tag", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await dropFixture(page, "data/quipper-weight_struct.gz");
  await counted(page);
  const screens = page.getByRole("navigation", { name: "Screens" });
  await screens.getByRole("link", { name: "Compare" }).click();
  const parts = page.getByRole("radiogroup", { name: "What to compare" });
  for (const part of ["Two machines", "All models"]) {
    await parts.getByRole("radio", { name: part }).check();
    await page
      .getByText("These are samples, not a stream of accesses")
      .waitFor();
    expect(await page.getByRole("table").count()).toBe(0);
  }
  await parts.getByRole("radio", { name: "Two machines" }).check();
  await page.getByRole("button", { name: "Replay as if consecutive" }).click();
  for (const name of ["Totals", "Differences", "Walks over time"])
    await page
      .getByRole("region", { name, exact: true })
      .getByText("slow accesses only", { exact: true })
      .waitFor();
  expect(problems).toEqual([]);
});

test("tables_of_samples_leave_columns_out_where_they_are_narrow_and_say_which", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await dropFixture(page, "data/quipper-weight_struct.gz");
  await counted(page);
  const tables = page.getByTestId("samples").locator(".data-table");
  const over = () =>
    page.evaluate(() =>
      [...document.querySelectorAll(".data-table-scroll")].map(
        (box) => box.scrollWidth - box.clientWidth,
      ),
    );
  for (const width of [390, 640, 800, 1024, 1180, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await expect
      .poll(over, { message: `${width} px` })
      .toSatisfy((all: number[]) => all.every((n) => n <= 1));
    expect(await neededWidth(page)).toBeLessThanOrEqual(width);
  }
  const first = tables.first();
  await first.getByText("Left out at this width: 4K pages.").waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  await first.getByText(/^Left out at this width: .*bars\.$/).waitFor();
  const heads = async () => {
    const texts = await first.getByRole("columnheader").allInnerTexts();
    return texts.map((head) => head.trim());
  };
  await expect.poll(heads).toEqual(["Region", "share", "walk"]);
  expect(problems).toEqual([]);
});

test("instruction_pointers_alone_show_the_pages_of_code", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await dropFixture(page, "data/cpuclock-sort.perf.data.gz");
  await counted(page);
  const samples = page.getByTestId("samples");
  await samples.getByText("Popularity of code pages").waitFor();
  await samples
    .getByText("there is nothing to replay", { exact: false })
    .waitFor();
  // The estimate follows the machine.
  const model = samples.getByRole("region", {
    name: "Hit rates by a model, not measured",
  });
  const before = await model.getByRole("table").textContent();
  await page.evaluate(() => window.__pagewalk?.actions.chooseCpu("amd-zen2"));
  await page.waitForFunction(
    (before) =>
      document.querySelector('[aria-label="Estimated hit rates"] table')
        ?.textContent !== before,
    before,
  );
  await counted(page);
  expect(problems).toEqual([]);
});

test("without_samples_an_example_is_shown_and_ones_own_replace_it", async () => {
  const { page, problems } = await visit("?test#screen=samples");
  await counted(page);
  const example = page.getByRole("region", { name: "Example", exact: true });
  await example.getByText("Where two sorts of 60,000 numbers").waitFor();
  await page.getByRole("table").first().waitFor();
  await looksWell(page);
  expect((await state(page, "trace"))?.name).toMatch(/^chase/);
  await example.getByRole("button", { name: "Import a recording" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await dropFixture(page, "data/quipper-weight_struct.gz");
  await counted(page);
  await expect.poll(() => example.count()).toBe(0);
  expect(problems).toEqual([]);
});

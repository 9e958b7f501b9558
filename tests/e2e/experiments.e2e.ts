import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { hashWith, openMore, ready, says, state } from "./app";
import { looksWell, useBrowser } from "./browser";
import { PATIENCE_MS } from "./patience";

const visit = useBrowser();

const LIST = "?test#screen=experiments";
const at = (id: string) => `${LIST}&experiment=${id}`;

/** Returns the button that runs or cancels the open experiment. */
const button = (page: Page, name: string) =>
  page.getByTestId("experiment").getByRole("button", { name, exact: true });

/** Runs the open experiment to its end; its numbers must be those that this version ships. */
async function run(page: Page, name = "Run it here"): Promise<void> {
  await button(page, name).click();
  await says(
    page.getByTestId("experiment-origin"),
    /^Run in this browser in .*: the same \d+ numbers as this version ships\.$/,
  );
}

test("the_gallery_shows_every_result_before_anything_runs", async () => {
  const { page, problems } = await visit(LIST);
  const first = page.getByTestId("experiment-byte-array");
  await says(first, /walks 0\.96 times/);
  await first.getByRole("img", { name: /^Page walks/ }).waitFor();
  const experiments = await state(page, "experiments");
  for (const { id } of experiments ?? [])
    await says(
      page.getByTestId(`experiment-${id}`),
      /published: .*\d (agrees?|differs?|undecided)$|no numbers to compare$/,
    );
  expect(await state(page, "experimentStates")).toEqual({});
  expect(problems).toEqual([]);
});

test("every_experiment_runs_from_the_gallery_and_gives_the_shipped_numbers", async () => {
  const { page, problems } = await visit(LIST);
  await page.getByRole("button", { name: "Run all here" }).click();
  await page.waitForFunction(
    () => {
      const { experiments, experimentStates } =
        window.__pagewalk?.store.getState() ?? {};
      return experiments?.every(
        ({ id }) => experimentStates?.[id]?.status === "done",
      );
    },
    null,
    // All experiments run here, so the test waits longer.
    { timeout: 4 * PATIENCE_MS },
  );
  const experiments = await state(page, "experiments");
  const states = await state(page, "experimentStates");
  const shipped = await state(page, "shipped");
  for (const { id } of experiments ?? []) {
    const cell = page.getByTestId(`experiment-${id}`);
    const found = states[id];
    if (found?.status !== "done") throw new Error(`${id} has no result`);
    expect(found.result).toEqual(shipped[id]);
    await says(cell, /run here$/);
  }
  expect(problems).toEqual([]);
});

test("one_opens_from_its_cell_runs_and_shows_charts_tables_and_words", async () => {
  const { page } = await visit(LIST);
  await page.getByRole("link", { name: /^Do huge pages end/ }).click();
  await expect
    .poll(() => page.evaluate(() => location.hash))
    .toBe("#screen=experiments&experiment=byte-array");
  await page.getByText("Haswell", { exact: false }).first().waitFor();
  await says(page.getByTestId("experiment-origin"), /^Computed when version/);
  await run(page);
  const results = page.getByRole("region", { name: "Results" });
  await results.getByRole("figure").first().waitFor();
  await results.getByText("TLB misses of each read").click();
  const table = results.getByRole("table", { name: "TLB misses of each read" });
  await says(table, "1.017 ± 0.244");
  await results.getByText("What the simulation leaves out").waitFor();
  await results.getByRole("slider").first().focus();
  await page.keyboard.press("End");
  await says(page.getByRole("tooltip"), "1.017");
  await expect
    .poll(() => page.title())
    .toMatch(/^Do huge pages end .* Experiments · Pagewalk$/);
});

test("a_run_can_be_cancelled_and_run_again", async () => {
  const { page } = await visit(at("code-cache"));
  await button(page, "Run it here").click();
  await button(page, "Cancel").click();
  await button(page, "Run again").waitFor();
  const actual = page.getByTestId("experiment-state");
  await expect.poll(() => actual.textContent()).toBe("cancelled");
  await run(page, "Run again");
});

test("a_link_restores_the_experiment_and_back_goes_back", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const replay = await page.title();
  await openMore(page, "Experiments");
  await page.getByRole("link", { name: /^Does a column walk/ }).click();
  await page.getByRole("heading", { name: /^Does a column walk/ }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: /^Does a column walk/ }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Experiments", level: 2 }).waitFor();
  await page.goBack();
  await ready(page);
  await page.getByTestId("access").waitFor();
  await expect.poll(() => page.title()).toBe(replay);
  await page.goForward();
  await page.getByRole("button", { name: "Run all here" }).waitFor();
});

test("an_experiment_that_is_not_there_is_told", async () => {
  const { page } = await visit(at("nothing"));
  await page
    .getByRole("heading", { name: /no experiment “nothing”/ })
    .waitFor();
  await page.getByRole("link", { name: "See all experiments" }).click();
  await page.getByRole("button", { name: "Run all here" }).waitFor();
});

test("a_simulation_of_it_opens_as_a_replay_and_back_returns", async () => {
  const { page } = await visit(at("matrix"));
  await page.getByRole("combobox").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Open as a replay" }).click();
  await page.getByTestId("access").waitFor();
  await expect
    .poll(async () => (await state(page, "trace"))?.name)
    .toMatch(/^matmul/);
  await ready(page);
  const configuration = await state(page, "configuration");
  expect(configuration).toMatchObject({
    cpu: "intel-core2",
    setup: { os: { default: "2M" }, window: { warmup: 65_536 } },
  });
  await hashWith(page, "workload=matmul");
  await page.goBack();
  await page.getByRole("heading", { name: /^Does a column walk/ }).waitFor();
  // The result of the experiment is still shown.
  await page.locator(".experiment-answer").waitFor();
});

test("a_trap_in_an_experiment_is_told_and_it_can_run_again", async () => {
  const { page } = await visit(at("code-cache"));
  await ready(page);
  await button(page, "Run it here").click();
  await button(page, "Cancel").waitFor();
  await page.evaluate(() => window.__pagewalk?.actions.crash());
  await button(page, "Run again").waitFor();
  await run(page, "Run again");
});

test("charts_and_tables_are_saved_as_files", async () => {
  const { page } = await visit(at("byte-array"));
  await run(page);
  const saved = async (name: string) => {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    const download = await waiting;
    return {
      name: download.suggestedFilename(),
      bytes: await readFile(await download.path()),
    };
  };
  await page.getByRole("button", { name: "Save “Page walks”" }).click();
  const svg = await saved("SVG");
  expect(svg.name).toBe("byte-array-page-walks.svg");
  expect(svg.bytes.toString()).toMatch(/^<svg[^>]* xmlns=/);
  // The saved picture has no CSS variable that is only defined on the site.
  expect(svg.bytes.toString()).not.toContain("var(");
  const png = await saved("PNG picture");
  expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
  await page.keyboard.press("Escape");
  await page.getByText("TLB misses of each read").click();
  const csv = await saved("Save “TLB misses of each read” as CSV");
  expect(csv.bytes.toString()).toContain("1.017 ± 0.244");
});

test("axe_finds_nothing_serious_in_the_gallery", async () => {
  const { page } = await visit(LIST);
  await page.getByRole("button", { name: "Run all here" }).waitFor();
  await ready(page);
  await looksWell(page);
  await page.getByRole("link", { name: /^Do huge pages end/ }).click();
  await button(page, "Run it here").waitFor();
  await looksWell(page);
  await run(page);
  await page.getByText("TLB misses of each read").click();
  await page.getByText("Values").first().click();
  await looksWell(page);
});

test("a_phone_reaches_every_screen_by_a_menu", async () => {
  const viewport = { width: 390, height: 844 };
  const { page } = await visit("?test", { viewport });
  await ready(page);
  await page.getByRole("button", { name: "Menu: Replay" }).click();
  await page.getByRole("link", { name: "Experiments" }).click();
  await page.getByRole("button", { name: "Run all here" }).waitFor();
  await page.getByRole("button", { name: "Menu: Experiments" }).click();
  await page.getByRole("link", { name: "Replay" }).click();
  await page.getByTestId("access").waitFor();
});

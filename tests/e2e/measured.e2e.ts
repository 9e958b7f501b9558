import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { hashWith, openMore, ready, says, state } from "./app";
import { looksWell, useBrowser } from "./browser";

const visit = useBrowser();

const FIXTURES = "tests/fixtures/perfstat/";
const SCREEN = "?test#screen=measured";

test("an_example_opens_beside_the_run_and_survives_a_reload", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await openMore(page, "Measured");
  await page.getByText("Example: Intel, page walks").waitFor();
  const table = page.getByRole("table", { name: "Counters", exact: true });
  await says(table, "~9,069,839");
  await page.getByText("≤ ~9.2 %").waitFor();
  await page.getByText(/^simulated: chase .* on Skylake-SP$/).waitFor();
  await hashWith(page, "trace=chase");
  await page.getByLabel("Event names of").selectOption("arm");
  await page.getByText("Your choice.").waitFor();
  await hashWith(page, "family=arm");
  await page.reload();
  await page.getByText("Your choice.").waitFor();
  await expect.poll(() => page.title()).toBe("Measured · Pagewalk");
  await page.getByText("Example: Intel, page walks").waitFor();
  expect(problems).toEqual([]);
});

test("a_file_that_is_imported_leads_here_and_the_replay_stays", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const trace = await state(page, "trace");
  await page.getByRole("button", { name: "Import" }).click();
  await page
    .getByTestId("import-file")
    .setInputFiles(`${FIXTURES}made-csv-repeat.txt`);
  await page.getByRole("table", { name: "Counters", exact: true }).waitFor();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  expect(await state(page, "notices")).toEqual([]);
  expect((await state(page, "trace"))?.name).toBe(trace?.name);
  // After this, the history has an entry to go back from.
  await hashWith(page, "screen=measured");
  await page.goBack();
  await page.getByTestId("access").waitFor();
});

test("pasted_text_is_read_and_what_is_none_is_told", async () => {
  const { page } = await visit(SCREEN);
  await ready(page);
  const text = await readFile(`${FIXTURES}amd-zen.txt`, "utf8");
  await page.getByRole("textbox").fill(text);
  await page.getByRole("button", { name: "Read the text" }).click();
  await expect
    .poll(() => page.getByText("Example:", { exact: false }).count())
    .toBe(0);
  await page.getByRole("table", { name: "Counters", exact: true }).waitFor();
  await page.getByRole("textbox").fill("load 0x1000 8");
  await page.getByRole("button", { name: "Read the text" }).click();
  const alert = page.getByRole("alert");
  await says(alert, /no perf stat counter .*line 1/);
});

test("intervals_become_charts_with_one_cursor", async () => {
  const { page } = await visit(SCREEN);
  await ready(page);
  await page.getByRole("button", { name: "Page faults over time" }).click();
  await page.getByRole("slider", { name: "Interval" }).focus();
  await page.keyboard.press("End");
  await page.getByText(/^0\.12 – 0\.14 s: 0\.000 per s/).waitFor();
  await expect.poll(() => page.getByRole("figure").count()).toBe(2);
});

test("axe_finds_nothing_serious", async () => {
  const { page } = await visit(SCREEN);
  await ready(page);
  await looksWell(page);
  for (const example of [/page walks of a whole/, /Page faults over/]) {
    await page.getByRole("button", { name: example }).click();
    await page.getByRole("table", { name: "Counters", exact: true }).waitFor();
    await looksWell(page);
  }
});

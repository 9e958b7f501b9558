import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ready, state } from "./app";
import { seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

const FIXTURES = "tests/fixtures/perfstat/";
const SCREEN = "?test#screen=measured";

test("an_example_opens_beside_the_run_and_survives_a_reload", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await page.getByRole("link", { name: "Measured" }).click();
  await page.getByRole("button", { name: /page walks of a whole/ }).click();
  const table = page.getByRole("table", { name: "Counters", exact: true });
  expect(await table.textContent()).toContain("~9,069,839");
  await page.getByText("≤ ~9.2 %").waitFor();
  await page.getByText(/^simulated: chase .* on Skylake-SP$/).waitFor();
  await page.waitForFunction(() => location.hash.includes("trace=chase"));
  await page.getByLabel("Events as on").selectOption("arm");
  await page.getByText("You chose it.").waitFor();
  await page.reload();
  await page.getByText("You chose it.").waitFor();
  expect(await page.title()).toBe("Measured · Pagewalk");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("Nothing measured yet.", { exact: false }).waitFor();
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
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await state(page, "notices")).toEqual([]);
  expect((await state(page, "trace"))?.name).toBe(trace?.name);
  // Only then is there an entry to go back from.
  await page.waitForFunction(() => location.hash.includes("screen=measured"));
  await page.goBack();
  await page.getByTestId("access").waitFor();
});

test("pasted_text_is_read_and_what_is_none_is_told", async () => {
  const { page } = await visit(SCREEN);
  await ready(page);
  const text = await readFile(`${FIXTURES}amd-zen.txt`, "utf8");
  await page.getByRole("textbox").fill(text);
  await page.getByRole("button", { name: "Read the text" }).click();
  await page.getByRole("table", { name: "Counters", exact: true }).waitFor();
  await page.getByRole("textbox").fill("load 0x1000 8");
  await page.getByRole("button", { name: "Read the text" }).click();
  const alert = page.getByRole("alert");
  await alert.waitFor();
  expect(await alert.textContent()).toMatch(/no counter of perf stat .*line 1/);
});

test("intervals_become_charts_with_one_cursor", async () => {
  const { page } = await visit(SCREEN);
  await ready(page);
  await page.getByRole("button", { name: "Page faults over time" }).click();
  await page.getByRole("slider", { name: "Interval" }).focus();
  await page.keyboard.press("End");
  await page.getByText(/^0\.12 – 0\.14 s: 0\.000 per s/).waitFor();
  expect(await page.getByRole("figure").count()).toBe(2);
});

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

test.each(["light", "dark"] as const)(
  "axe_finds_nothing_serious_in_the_%s_theme",
  async (colorScheme) => {
    for (const viewport of sizes) {
      const { page } = await visit(SCREEN, { colorScheme, viewport });
      await ready(page);
      expect(await seriousViolations(page), `${viewport.width}`).toEqual([]);
      for (const example of [/page walks of a whole/, /Page faults over/]) {
        await page.getByRole("button", { name: example }).click();
        await page
          .getByRole("table", { name: "Counters", exact: true })
          .waitFor();
        expect(await seriousViolations(page), `${viewport.width}`).toEqual([]);
        const width = await page.evaluate(
          () => document.documentElement.scrollWidth,
        );
        expect(width).toBeLessThanOrEqual(viewport.width);
        await page.getByRole("button", { name: "Clear" }).click();
      }
    }
  },
);

import path from "node:path";
import { expect, test } from "vitest";
import { firstRoute } from "../../scripts/bench/firstRoute.mjs";
import { drop, ready } from "./app";
import { seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

/** Bytes, packed with gzip, of all scripts and modules that a replay needs before it is on the screen. */
const MOST_AT_FIRST = 600_000;

test("the_first_route_stays_small", () => {
  const route = firstRoute();
  const modules = route.filter(({ file }) => file.endsWith(".wasm"));
  expect(modules).toHaveLength(1);
  const bytes = route.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(bytes).toBeLessThanOrEqual(MOST_AT_FIRST);
});

test("a_replay_needs_no_more_than_the_first_route_and_the_rest_comes_afterwards", async () => {
  const route = firstRoute().map(({ file }) => path.basename(file));
  const { page } = await visit("?test");
  const later = page.waitForRequest((request) => isLater(request.url()), {
    timeout: 30_000,
  });
  await ready(page);
  await later;
  function isLater(url: string): boolean {
    const name = path.basename(new URL(url).pathname);
    return name.endsWith(".wasm") && !route.includes(name);
  }
});

test("the_site_loads_from_a_sub_path_without_a_problem", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  expect(await page.title()).toContain("Pagewalk");
  expect(problems).toEqual([]);
});

test("nothing_is_fetched_from_anywhere_else", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const foreign = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => name)
      .filter((name) => !name.startsWith(location.origin)),
  );
  expect(foreign).toEqual([]);
});

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 800, height: 1000 },
  { width: 390, height: 844 },
];

test.each(["light", "dark"] as const)(
  "axe_finds_nothing_serious_in_the_%s_theme",
  async (colorScheme) => {
    for (const viewport of sizes) {
      const { page } = await visit("?test", { colorScheme, viewport });
      await ready(page);
      expect(await seriousViolations(page), `${viewport.width}`).toEqual([]);
    }
  },
);

test.each(["light", "dark"] as const)(
  "axe_finds_nothing_serious_in_editor_dialogs_and_messages_in_the_%s_theme",
  async (colorScheme) => {
    const { page } = await visit("?test", { colorScheme });
    await ready(page);
    await page.keyboard.press("e");
    const ways = page.getByLabel("Ways of L1 dTLB 4K");
    await ways.fill("3");
    await ways.press("Enter");
    await page.getByTestId("l1[2]").getByRole("alert").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("radio", { name: "Mapping" }).check();
    await page.getByRole("button", { name: "Add a region" }).click();
    await page.getByTestId("os.regions[0]").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("radio", { name: "JSON" }).check();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await drop(page, "bad", "\u0000\u0001");
    await page.getByTestId("import-problem").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.evaluate(() =>
      window.__pagewalk?.actions.importFile({
        file: new Blob(["\u0000\u0001"]),
        name: "bad",
      }),
    );
    await page.getByTestId("notice").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  },
);

test.each([
  "replay",
  "what-if",
  "compare",
  "samples",
  "measured",
  "loop",
  "experiments",
  "experiments&experiment=byte-array",
])("%s_fits_its_width_on_every_screen", async (screen) => {
  const { page } = await visit(`?test#screen=${screen}`);
  await ready(page);
  for (const width of [320, 390, 640, 760, 800, 900, 1024, 1180, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const needed = () => document.documentElement.scrollWidth;
    await expect
      .poll(() => page.evaluate(needed), {
        message: `${width} px`,
        timeout: 10_000,
      })
      .toBeLessThanOrEqual(width);
  }
});

test("at_1440_by_900_everything_is_on_one_screen", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const height = await page.evaluate(
    () => document.documentElement.scrollHeight,
  );
  expect(height).toBeLessThanOrEqual(900);
});

test.each([
  [1024, 768],
  [1366, 768],
])("at_%i_by_%i_everything_is_on_one_screen_too", async (width, height) => {
  const { page } = await visit("?test", { viewport: { width, height } });
  await ready(page);
  const scroll = await page.evaluate(
    () => document.documentElement.scrollHeight,
  );
  expect(scroll).toBeLessThanOrEqual(height);
});

test("a_stored_theme_wins_over_the_system", async () => {
  const { page } = await visit("?test", { colorScheme: "light" });
  await ready(page);
  const button = page.getByRole("button", { name: /^Theme/ });
  await button.click();
  await button.click();
  await page.reload();
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
});

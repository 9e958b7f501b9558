import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { firstRoute } from "../../scripts/bench/firstRoute.mjs";
import { dist, root } from "../../scripts/lib/paths.mjs";
import { drop, ready } from "./app";
import {
  looksWell,
  neededHeight,
  neededWidth,
  seriousViolations,
  settled,
  SIZES,
  useBrowser,
} from "./browser";

const visit = useBrowser();

/** Bytes, packed with gzip, of all scripts and modules that a replay needs before it is on the screen. */
const MOST_AT_FIRST = 600_000;

/** The screens, as named in the address. */
const SCREENS = [
  "learn",
  "replay",
  "what-if",
  "compare",
  "samples",
  "measured",
  "measure",
  "code",
  "experiments",
  "glossary",
];

test("the_first_route_stays_small", () => {
  const route = firstRoute();
  const modules = route.filter(({ file }) => file.endsWith(".wasm"));
  expect(modules).toHaveLength(1);
  const bytes = route.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(bytes).toBeLessThanOrEqual(MOST_AT_FIRST);
});

test("no_module_names_a_folder_of_the_machine_that_built_it", () => {
  const assets = path.join(dist, "assets");
  const modules = readdirSync(assets).filter((name) => name.endsWith(".wasm"));
  // The small module of the chase has no code of other crates that names its file.
  let n = 0;
  for (const name of modules) {
    const text = readFileSync(path.join(assets, name), "latin1");
    // A failure must not print the module.
    const found = [`${homedir()}/`, `${root}/`].filter((folder) =>
      text.includes(folder),
    );
    expect(found, name).toEqual([]);
    if (text.includes("/cargo/registry/")) n += 1;
  }
  expect(n).toBeGreaterThan(1);
});

test("a_replay_needs_no_more_than_the_first_route_and_the_rest_comes_afterwards", async () => {
  const route = firstRoute().map(({ file }) => path.basename(file));
  const { page, requests } = await visit("?test");
  await ready(page);
  const later = () =>
    requests
      .map((url) => path.basename(new URL(url).pathname))
      .filter((name) => name.endsWith(".wasm") && !route.includes(name));
  await expect.poll(later).toHaveLength(1);
});

test("the_site_loads_from_a_sub_path_without_a_problem_and_nothing_is_fetched_from_elsewhere", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await expect.poll(() => page.title()).toContain("Pagewalk");
  expect(problems).toEqual([]);
  const foreign = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => name)
      .filter((name) => !name.startsWith(location.origin)),
  );
  expect(foreign).toEqual([]);
});

test("axe_finds_nothing_serious", async () => {
  const { page } = await visit("?test");
  await ready(page);
  await looksWell(page, [...SIZES, { width: 800, height: 1000 }]);
});

test("axe_finds_nothing_serious_in_editor_dialogs_and_messages", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const isWell = () => looksWell(page, SIZES.slice(0, 1));
  await page.getByRole("button", { name: /^CPU/ }).click();
  const models = page.getByRole("listbox", { name: "CPU" });
  await models.waitFor();
  await isWell();
  await page.keyboard.press("Escape");
  await models.waitFor({ state: "detached" });
  await page.keyboard.press("e");
  const ways = page.getByLabel("Ways of L1 dTLB 4K");
  await ways.fill("3");
  await ways.press("Enter");
  await page.getByTestId("l1[2]").getByRole("alert").waitFor();
  await isWell();
  await page.getByRole("radio", { name: "Mapping" }).check();
  await page.getByRole("button", { name: "Add a region" }).click();
  await page.getByTestId("os.regions[0]").waitFor();
  await isWell();
  await page.getByRole("radio", { name: "JSON" }).check();
  const json = page.getByLabel("The machine as JSON");
  await json.waitFor();
  await isWell();
  await page.keyboard.press("Escape");
  await json.waitFor({ state: "detached" });

  await drop(page, "bad", "\u0000\u0001");
  const problem = page.getByTestId("import-problem");
  await problem.waitFor();
  await isWell();
  await page.keyboard.press("Escape");
  await problem.waitFor({ state: "detached" });
  await page.evaluate(() =>
    window.__pagewalk?.actions.importFile({
      file: new Blob(["\u0000\u0001"]),
      name: "bad",
    }),
  );
  await page.getByTestId("notice").waitFor();
  await isWell();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await isWell();
});

test.each([...SCREENS, "experiments&experiment=byte-array"])(
  "%s_fits_its_width_on_every_screen",
  async (screen) => {
    const { page } = await visit(`?test#screen=${screen}`);
    await ready(page);
    for (const width of [
      320, 390, 640, 760, 800, 900, 1024, 1180, 1280, 1440,
    ]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      await expect
        .poll(() => neededWidth(page), { message: `${width} px` })
        .toBeLessThanOrEqual(width);
    }
  },
);

/** Resolves when a screen shows everything that it computes when it is opened. */
async function filled(page: Page, screen: string): Promise<void> {
  if (screen === "what-if")
    await page.getByText("In a phase, most pages stay").waitFor();
  if (screen === "compare")
    await page.waitForFunction(() => {
      const compare = window.__pagewalk?.store.getState().compare;
      return compare?.status === "idle" && compare.regions !== undefined;
    });
}

test("axe_finds_nothing_serious_where_a_phone_in_the_dark_opens_a_screen", async () => {
  for (const screen of SCREENS) {
    const { page } = await visit(`?test#screen=${screen}`, {
      viewport: { width: 390, height: 844 },
      colorScheme: "dark",
      hasTouch: true,
    });
    await ready(page);
    await filled(page, screen);
    expect(await seriousViolations(page), screen).toEqual([]);
    await page.close();
  }
});

test("a_desk_shows_everything_on_one_screen", async () => {
  const { page } = await visit("?test");
  await ready(page);
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [1366, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    await settled(page);
    await expect
      .poll(() => neededHeight(page), { message: `${width} px` })
      .toBeLessThanOrEqual(height);
  }
});

test("a_stored_theme_wins_over_the_system", async () => {
  const { page } = await visit("?test", { colorScheme: "light" });
  await ready(page);
  const button = page.getByRole("button", { name: /^Theme/ });
  await button.click();
  await button.click();
  await page.reload();
  const html = page.locator("html");
  await expect.poll(() => html.getAttribute("data-theme")).toBe("dark");
});

/** The first screen, its doors, and who is spared it. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { drop, hashWith, lackey, ready, says, state } from "./app";
import { looksWell, neededWidth, reopen, settled, useBrowser } from "./browser";

const visit = useBrowser();

const NEWCOMER = { isNewcomer: true };
const strip = (page: Page) => page.getByRole("region", { name: "First steps" });

/** The four sizes of the design. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

/** Returns the texts of the strip and of the address that end outside of the window or of their box. */
function cut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCut = (element: Element) => {
      const { left, right } = element.getBoundingClientRect();
      return (
        left < 0 ||
        right > innerWidth ||
        element.scrollWidth > element.clientWidth + 1
      );
    };
    return [
      ...document.querySelectorAll(
        ".welcome-strip :is(h2, h3, p, li, .btn), .access-left, .access-left svg, .header .nav > *",
      ),
    ]
      .filter(
        (element) => element.getClientRects().length > 0 && isCut(element),
      )
      .map((element) => element.textContent);
  });
}

test("a_newcomer_watches_the_walk_by_keyboard_and_takes_a_door", async () => {
  const { page, problems } = await visit("?test", NEWCOMER);
  await says(strip(page), "Access 0: load of 8 bytes at 0x7f3a1c2b5e48.");
  expect(await page.getByTestId("timeline").count()).toBe(0);
  const next = page.getByRole("button", { name: "Next step" });
  for (let i = 0; i < 20 && !(await isFocused(next)); i++)
    await page.keyboard.press("Tab");
  expect(await isFocused(next)).toBe(true);
  for (const title of [
    "PML4 entry 254",
    "PDPT entry 232",
    "PD entry 225",
    "PT entry 181",
    "Found: 817 cycles",
    "A hit: 0 cycles",
  ]) {
    await page.keyboard.press("Enter");
    await says(strip(page).getByRole("heading", { level: 3 }).first(), title);
  }
  // The address stays that of the site, so a reload shows the first screen again.
  expect(await page.evaluate(() => location.hash)).toBe("");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await says(strip(page), "Found: 817 cycles");
  const program = page.getByRole("link", { name: /JavaScript/ });
  for (let i = 0; i < 30 && !(await isFocused(program)); i++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await hashWith(page, "screen=code");
  await strip(page).waitFor({ state: "detached" });
  await reopen(page, "?test");
  await ready(page);
  await page.getByTestId("timeline").waitFor();
  expect(await state(page, "welcome")).toBe(false);
  expect(problems).toEqual([]);
});

const isFocused = (what: ReturnType<Page["getByRole"]>) =>
  what.evaluate((element) => element === document.activeElement);

test("arrows_go_on_and_back_and_skip_opens_the_whole_screen", async () => {
  const { page } = await visit("?test", NEWCOMER);
  await says(strip(page), "The address is virtual");
  await page.keyboard.press("ArrowRight");
  await says(strip(page), "step 1 of 5");
  await page.keyboard.press("ArrowLeft");
  await says(strip(page), "The address is virtual");
  await page.getByRole("button", { name: "Skip", exact: true }).click();
  await ready(page);
  await page.getByTestId("timeline").waitFor();
  await hashWith(page, "trace=chase");
  // It can be shown again.
  await page.getByRole("button", { name: "Help" }).click();
  await page.getByRole("button", { name: /first screen/ }).click();
  await says(strip(page), "The address is virtual");
});

test("a_link_and_a_dropped_file_go_to_the_dense_screen", async () => {
  const linked = await visit("?test#trace=chase&access=7", NEWCOMER);
  await ready(linked.page);
  await linked.page.getByTestId("timeline").waitFor();
  expect(await strip(linked.page).count()).toBe(0);
  const { page } = await visit("?test", NEWCOMER);
  await says(strip(page), "The address is virtual");
  await drop(page, "mine.lackey", lackey([3, 5, 3, 7]));
  await page.getByTestId("timeline").waitFor();
  expect(await strip(page).count()).toBe(0);
});

test("nothing_is_cut_at_any_size_in_light_and_dark", async () => {
  const { page } = await visit("?test", NEWCOMER);
  await says(strip(page), "The address is virtual");
  await looksWell(page, SIZES);
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  await says(strip(page), "Found: 817 cycles");
  await looksWell(page, SIZES);
  for (const size of [...SIZES, { width: 320, height: 700 }]) {
    await page.setViewportSize(size);
    await settled(page);
    expect(await cut(page), `${size.width} px`).toEqual([]);
    expect(await neededWidth(page)).toBeLessThanOrEqual(size.width);
  }
});

test("plain_hides_details_and_is_remembered_and_a_link_to_a_walk_cache_shows_it", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const caches = page.getByRole("tab", { name: /^walk caches/ });
  await caches.waitFor();
  await page.keyboard.press("d");
  await caches.waitFor({ state: "detached" });
  await hashWith(page, "view=plain");
  await looksWell(page, SIZES);
  // A phone has a menu in place of tabs.
  await page.setViewportSize({ width: 1440, height: 900 });
  await reopen(page, "?test");
  await ready(page);
  expect(await state(page, "plain")).toBe(true);
  expect(await caches.count()).toBe(0);
  const machine = await state(page, "machine");
  const cache = machine?.structures.findIndex(({ role }) => role === "psc");
  await reopen(page, `?test#trace=chase&structure=${cache}`);
  await caches.waitFor();
});

test("the_name_of_the_trace_opens_another_example_by_keyboard", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await page.getByRole("button", { name: /^Trace:/ }).focus();
  await page.keyboard.press("Enter");
  const list = page.getByRole("listbox", { name: "Trace" });
  await says(list.getByRole("option", { selected: true }), "chase 2048");
  await looksWell(page, SIZES);
  await list.getByRole("option", { name: "shootdown" }).focus();
  await page.keyboard.press("Enter");
  await hashWith(page, "trace=shootdown");
  await ready(page);
  expect(problems).toEqual([]);
});

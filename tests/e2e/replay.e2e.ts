import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cursor, hashWith, ready, says, state, step } from "./app";
import { boxOf, useBrowser } from "./browser";

const visit = useBrowser();

async function replay(hash = "") {
  const { page, problems } = await visit(`?test${hash}`);
  await ready(page);
  return { page, problems };
}

/** Waits until this access is shown. */
const isAt = (page: Page, index: number) =>
  expect.poll(() => cursor(page)).toBe(index);

test("it_opens_on_the_shipped_trace_at_a_walk", async () => {
  const { page, problems } = await replay();
  await expect.poll(() => page.title()).toContain("Pagewalk");
  expect(["walk", "fault"]).toContain((await step(page)).outcome);
  await says(page.getByTestId("access"), "0x");
  expect(problems).toEqual([]);
});

test("steps_and_jumps_move_by_buttons_and_keys", async () => {
  const { page } = await replay("#access=1000");
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await isAt(page, 1001);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await isAt(page, 999);
  await page.keyboard.press("w");
  await page.waitForFunction(
    () => (window.__pagewalk?.store.getState().cursor ?? 0) > 999,
  );
  const walk = await cursor(page);
  expect(["walk", "fault"]).toContain((await step(page)).outcome);
  await page.keyboard.press("Shift+W");
  await page.waitForFunction(
    (from) => (window.__pagewalk?.store.getState().cursor ?? 0) < from,
    walk,
  );
  await page.keyboard.press("End");
  const last = ((await state(page, "trace"))?.n_accesses ?? 0) - 1;
  await isAt(page, last);
  await page.keyboard.press("Home");
  await isAt(page, 0);
});

test("playing_moves_on_until_it_is_paused", async () => {
  const { page } = await replay("#access=100");
  await page.getByRole("radio", { name: "10³" }).click();
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(
    () => (window.__pagewalk?.store.getState().cursor ?? 0) > 300,
  );
  await page.getByRole("button", { name: "Pause" }).click();
  const stopped = await cursor(page);
  await page.waitForTimeout(200);
  expect(await cursor(page)).toBe(stopped);
});

test("a_click_on_the_timeline_seeks_there", async () => {
  const { page } = await replay("#access=0");
  const box = await boxOf(page.getByTestId("timeline"));
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(
    () => (window.__pagewalk?.store.getState().cursor ?? 0) > 0,
  );
  const n = (await state(page, "trace"))?.n_accesses ?? 0;
  const at = await cursor(page);
  expect(at / n).toBeGreaterThan(0.3);
  expect(at / n).toBeLessThan(0.6);
});

test("a_drag_on_the_timeline_zooms_and_a_double_click_shows_all_again", async () => {
  const { page } = await replay();
  const box = await boxOf(page.getByTestId("timeline"));
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.4, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction(
    () => (window.__pagewalk?.store.getState().window.from ?? 0) > 0,
  );
  const n = (await state(page, "trace"))?.n_accesses ?? 0;
  const { from, to } = await state(page, "window");
  expect((to - from) / n).toBeLessThan(0.35);
  await page.mouse.dblclick(box.x + box.width * 0.5, y);
  await page.waitForFunction(
    () => window.__pagewalk?.store.getState().window.from === 0,
  );
});

test("the_search_finds_an_access_and_a_page_and_says_what_it_does_not_understand", async () => {
  const { page } = await replay("#access=5");
  await page.keyboard.press("/");
  const field = page.getByRole("dialog").getByRole("textbox");
  await field.fill("banana");
  await field.press("Enter");
  await says(page.getByRole("alert"), "12,345");
  await field.fill("2,000");
  await field.press("Enter");
  await isAt(page, 2000);
  await field.waitFor({ state: "detached" });

  const address = (await step(page)).access.address;
  await page.keyboard.press("Home");
  await isAt(page, 0);
  await page.keyboard.press("/");
  await field.fill(address);
  await field.press("Enter");
  await page.waitForFunction(
    () => (window.__pagewalk?.store.getState().cursor ?? 0) > 0,
  );
  await cursor(page);
  const found = (await step(page)).access.address;
  expect(found.slice(0, -3)).toBe(address.slice(0, -3));
});

test("the_address_follows_what_is_shown_and_opens_it_again", async () => {
  const { page } = await replay("#cpu=amd-zen2&pages=2M&access=777");
  expect((await state(page, "configuration"))?.cpu).toBe("amd-zen2");
  await page.keyboard.press("ArrowRight");
  const hash = await hashWith(page, "access=778");
  const reopened = await replay(hash);
  await isAt(reopened.page, 778);
  expect((await state(reopened.page, "configuration"))?.setup.os.default).toBe(
    "2M",
  );
});

test("the_keys_are_listed_and_the_list_closes_with_escape", async () => {
  const { page } = await replay();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("play or pause").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

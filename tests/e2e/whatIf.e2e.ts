import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { hashWith, ready, state } from "./app";
import { boxOf, looksWell, SIZES, useBrowser } from "./browser";

const visit = useBrowser();

/** Waits until the replay shows a machine with these fields. */
async function replays(page: Page, expected: object): Promise<void> {
  const stlb = async () =>
    (await state(page, "configuration"))?.setup.machine.l2[0];
  await expect.poll(stlb).toMatchObject(expected);
  await expect.poll(() => state(page, "screen")).toBe("replay");
  await ready(page);
}

test("a_larger_array_is_tried_undone_and_opened_as_a_replay", async () => {
  const { page, problems } = await visit("?test#screen=what-if");
  await ready(page);
  const screen = page.getByTestId("what-if");
  await screen.getByRole("slider", { name: /^Entries, over/ }).waitFor();
  const ways = screen.getByRole("slider", { name: /^STLB, ways/ });
  await ways.focus();
  await page.keyboard.press("ArrowRight");
  const effect = screen.getByRole("region", { name: "Effect" });
  await effect.getByText(/Effect of 1 change/).waitFor();
  expect(await hashWith(page, "whatif=")).toContain("what-if");
  await effect.getByRole("button", { name: /^Undo/ }).click();
  await effect.getByText("Unchanged machine, all accesses").waitFor();
  await screen.getByRole("button", { name: /^128 sets × 16 ways/ }).click();
  await effect.getByRole("button", { name: "Open as a replay" }).click();
  await replays(page, {
    entries: 2048,
    ways: 16,
    index: "low-bits",
    replacement: "lru",
  });
  expect(problems).toEqual([]);
});

test("a_point_of_a_curve_is_tried_and_opened_as_a_replay", async () => {
  const { page, problems } = await visit("?test#screen=what-if");
  await ready(page);
  const curve = page.getByRole("slider", { name: /^Entries, over/ });
  await curve.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.getByText("Click to try STLB as 2, fully associative").waitFor();
  await page.keyboard.press("Enter");
  const effect = page.getByRole("region", { name: "Effect" });
  await effect.getByText(/Effect of 1 change/).waitFor();
  expect(await state(page, "screen")).toBe("what-if");
  await page.keyboard.press("Shift+Enter");
  await replays(page, { entries: 2, ways: 2 });
  expect(problems).toEqual([]);
});

test("the_effect_and_its_buttons_are_in_sight_after_a_change", async () => {
  for (const viewport of SIZES.filter(({ width }) => width > 760)) {
    const { page } = await visit("?test#screen=what-if", { viewport });
    await ready(page);
    const ways = page.getByRole("slider", { name: /^STLB, ways/ });
    await ways.focus();
    for (let n = 0; n < 2; n += 1) await page.keyboard.press("ArrowRight");
    const open = page.getByRole("button", {
      name: "Open as a replay",
      exact: true,
    });
    await page.getByText(/Effect of 1 change/).waitFor();
    const box = await boxOf(open);
    expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
  }
});

test("an_example_that_is_chosen_in_what_if_opens_there", async () => {
  const { page, problems } = await visit("?test#screen=what-if");
  await ready(page);
  await page.getByRole("button", { name: /^Trace/ }).click();
  await page.getByRole("option", { name: /^matmul 24/ }).click();
  await expect.poll(() => state(page, "builtIn")).toBe("matmul24");
  await ready(page);
  expect(await state(page, "screen")).toBe("what-if");
  expect(problems).toEqual([]);
});

test("a_sweep_fills_a_table_and_its_rows_open_as_replays", async () => {
  const { page, problems } = await visit("?test#screen=what-if");
  await ready(page);
  const panel = page.getByRole("region", { name: "Sweep" });
  const values = panel.getByLabel("Values", { exact: true });
  await values.fill("768, 1536, 1000");
  await panel.getByRole("button", { name: "Run the sweep" }).click();
  await panel.getByText("3 of 3 rows").waitFor();
  // 1000 entries cannot be divided into sets of 12 ways.
  const points = panel.getByRole("button", { name: / walks\./ });
  await expect.poll(() => points.count()).toBe(2);
  await values.fill("768, 3072");
  await panel.getByText(/of the previous sweep/).waitFor();
  await panel.getByRole("button", { name: /^768: .* walks/ }).click();
  await replays(page, { entries: 768 });
  expect(problems).toEqual([]);
});

test("what_stands_for_a_policy_that_does_not_fit_is_told_until_it_fits_again", async () => {
  const { page, problems } = await visit("?test#screen=what-if");
  await ready(page);
  const effect = page.getByRole("region", { name: "Effect" });
  const ways = page.getByRole("slider", { name: /^STLB, ways/ });
  await ways.focus();
  for (let n = 0; n < 4; n += 1) await page.keyboard.press("ArrowRight");
  await page.getByText(/^mru3-plru4 needs 12 ways/).waitFor();
  await page.waitForFunction(() => {
    const text = document.querySelector(".wi-effect")?.textContent ?? "…";
    return text.includes("Effect of") && !text.includes("…");
  });
  for (let n = 0; n < 4; n += 1) await page.keyboard.press("ArrowLeft");
  await effect.getByText("Unchanged machine, all accesses").waitFor();
  expect(problems).toEqual([]);
});

test("axe_finds_nothing_serious_in_what_if", async () => {
  const { page } = await visit("?test#screen=what-if");
  await ready(page);
  await page.getByText(/^Start with/).waitFor();
  await looksWell(page);
});

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ready, state } from "./app";
import { looksWell, useBrowser } from "./browser";

const visit = useBrowser();

/** Finds a command by its words, and runs the first one that has them. */
async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Commands" });
  await dialog.getByRole("menuitem").first().waitFor();
  await page.keyboard.type(words);
  await dialog.getByRole("menuitem", { name: words }).first().waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => dialog.count()).toBe(0);
}

test("commands_are_found_and_run_by_the_keyboard_alone", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  const before = await state(page, "cursor");
  await command(page, "Next walk");
  await expect.poll(() => state(page, "cursor")).toBeGreaterThan(before);
  await command(page, "Zen 4");
  await expect
    .poll(async () => (await state(page, "configuration"))?.cpu)
    .toBe("amd-zen4");
  await ready(page);
  await command(page, "Glossary");
  await page.getByRole("heading", { name: "Glossary" }).waitFor();
  await command(page, "What does a walk cost");
  await page.getByTestId("experiment").waitFor();
  await command(page, "array of OSTEP");
  await expect
    .poll(async () => (await state(page, "trace"))?.name)
    .toBe("array of OSTEP");
  expect(problems).toEqual([]);
});

test("what_is_typed_while_a_dialog_loads_is_in_its_field", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  // The letters are keys of the page, too.
  await page.keyboard.press("/");
  await page.keyboard.type("0xde");
  const find = page.getByRole("dialog").getByRole("textbox");
  await expect.poll(() => find.inputValue()).toBe("0xde");
  await page.keyboard.press("Escape");
  await find.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Zen 4");
  const dialog = page.getByRole("dialog", { name: "Commands" });
  await expect.poll(() => dialog.getByRole("menuitem").count()).toBe(1);
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await state(page, "configuration"))?.cpu)
    .toBe("amd-zen4");
  expect(problems).toEqual([]);
});

test("the_palette_is_in_the_help_menu_and_says_if_nothing_is_found", async () => {
  const { page } = await visit("?test");
  await ready(page);
  await page.getByRole("button", { name: "Help" }).click();
  await page.getByRole("button", { name: "Commands (Ctrl K)" }).click();
  const dialog = page.getByRole("dialog", { name: "Commands" });
  await dialog.getByRole("menuitem", { name: "Replay" }).waitFor();
  await looksWell(page);
  await page.keyboard.type("no such thing");
  await dialog.getByText("Nothing has all these words.").waitFor();
  await looksWell(page);
  // The first Escape empties the field.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect.poll(() => dialog.count()).toBe(0);
});

test("a_machine_is_kept_across_visits_under_mine", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await page.evaluate(() => window.__pagewalk?.actions.choosePages("2M"));
  await command(page, "My machines: save");
  const dialog = page.getByRole("dialog", { name: "My machines" });
  await dialog.getByRole("textbox").fill("mine");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "mine", exact: true }).waitFor();
  await looksWell(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.__pagewalk?.actions.chooseCpu("amd-zen2"));
  await page.evaluate(() => window.__pagewalk?.actions.choosePages("4K"));
  await page.reload();
  await ready(page);
  await page.getByRole("button", { name: /^CPU/ }).click();
  await page.getByRole("option", { name: "mine", exact: true }).click();
  await expect
    .poll(async () => (await state(page, "configuration"))?.setup.os.default)
    .toBe("2M");
  await page.getByRole("button", { name: /^CPU mine/ }).waitFor();
  expect(problems).toEqual([]);
});

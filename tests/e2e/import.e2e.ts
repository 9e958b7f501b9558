import { expect, test } from "vitest";
import { cursor, drop, lackey, ready, state } from "./app";
import { useBrowser } from "./browser";

const visit = useBrowser();

async function replay() {
  const { page, problems } = await visit("?test");
  await ready(page);
  return { page, problems };
}

test("a_dropped_lackey_file_is_replayed_and_reported", async () => {
  const { page, problems } = await replay();
  await drop(page, "mine.lackey", lackey([1, 2, 3, 1, 2, 3, 4, 5]));
  const summary = page.getByTestId("import-summary");
  await summary.waitFor();
  expect(await summary.textContent()).toContain("mine.lackey");
  expect(await summary.textContent()).toContain("8 loads");
  await ready(page);
  expect((await state(page, "trace"))?.n_accesses).toBe(8);
  expect(await page.title()).toContain("mine.lackey");
  await summary.getByRole("button", { name: "Close" }).click();
  await summary.waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});

test("a_file_that_is_no_trace_is_refused_in_a_sentence_and_nothing_is_lost", async () => {
  const { page, problems } = await replay();
  const before = await state(page, "trace");
  const at = await cursor(page);
  await drop(page, "holiday.jpg", "\u0000\u0001\u00ff not a trace \u0000");
  const notice = page.getByTestId("notice");
  await notice.waitFor();
  expect(await notice.textContent()).toContain("holiday.jpg");
  expect(await state(page, "trace")).toEqual(before);
  await page.keyboard.press("ArrowRight");
  expect(await cursor(page)).toBe(at + 1);
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await notice.waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});

test("text_can_be_pasted", async () => {
  const { page } = await replay();
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByRole("textbox")
    .fill("load 0x1000 8\nstore 0x2000 8\nfetch 0x400000 4\n");
  await dialog.getByRole("button", { name: "Import the text" }).click();
  await page.getByTestId("import-summary").waitFor();
  await ready(page);
  expect(await state(page, "trace")).toMatchObject({
    n_accesses: 3,
    fetch: 1,
    load: 1,
    store: 1,
  });
});

test("a_file_can_be_chosen_and_a_shipped_trace_opened_again", async () => {
  const { page } = await replay();
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByTestId("import-file").setInputFiles({
    name: "chosen.lackey",
    mimeType: "text/plain",
    buffer: Buffer.from(lackey([7, 8, 9])),
  });
  await page.getByTestId("import-summary").waitFor();
  await ready(page);
  expect((await state(page, "trace"))?.name).toBe("chosen.lackey");
  await page.getByRole("button", { name: "Import" }).click();
  await page
    .getByRole("dialog")
    .getByRole("listitem")
    .first()
    .getByRole("button")
    .click();
  await page.waitForFunction(
    () => window.__pagewalk?.store.getState().builtIn !== undefined,
  );
  await ready(page);
});

test("a_long_import_shows_its_progress_and_can_be_cancelled", async () => {
  const { page } = await replay();
  const before = await state(page, "trace");
  await page.evaluate(() => {
    // Some 4 GB that take 10 MB: a blob may hold another one many times.
    const part = new Blob([" L 1000,8\n".repeat(1 << 20)]);
    const file = new Blob(Array.from({ length: 400 }, () => part));
    void window.__pagewalk?.actions.importFile({ file, name: "huge.lackey" });
  });
  const progress = page.getByTestId("import-progress");
  await progress.getByText(/MB\/s/).waitFor();
  expect(await progress.textContent()).toMatch(/of .* GB .* accesses so far/);
  // The replay goes on meanwhile.
  const at = await cursor(page);
  await page.keyboard.press("ArrowRight");
  expect(await cursor(page)).toBe(at + 1);
  await progress.getByRole("button", { name: "Cancel" }).click();
  await progress.waitFor({ state: "detached" });
  expect(await state(page, "trace")).toEqual(before);
  expect(await state(page, "notices")).toEqual([]);
});

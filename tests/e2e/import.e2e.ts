import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { TraceView } from "../../src/engine/generated/TraceView";
import { cursor, drop, lackey, ready, says, state } from "./app";
import { reopen, seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

async function replay() {
  const { page, problems } = await visit("?test");
  await ready(page);
  return { page, problems };
}

const openDialog = (page: Page) =>
  page.getByRole("button", { name: "Import", exact: true }).click();

/** The button Import of the dialog. */
const importButton = (page: Page) =>
  page.getByRole("dialog").getByRole("button", { name: "Import", exact: true });

/** Waits until the list of kept traces has these names, the newest first. */
async function keptNames(page: Page, names: readonly string[]): Promise<void> {
  await page.waitForFunction((wanted) => {
    const kept = window.__pagewalk?.store.getState().kept ?? [];
    return kept.map(({ name }) => name).join() === wanted;
  }, names.join());
}

test("a_dropped_lackey_file_is_replayed_and_reported", async () => {
  const { page, problems } = await replay();
  await drop(page, "mine.lackey", lackey([1, 2, 3, 1, 2, 3, 4, 5]));
  const summary = page.getByTestId("import-summary");
  await says(summary, "mine.lackey");
  await says(summary, "8 loads");
  await ready(page);
  expect((await state(page, "trace"))?.n_accesses).toBe(8);
  await expect.poll(() => page.title()).toContain("mine.lackey");
  await summary.getByRole("button", { name: "Close" }).click();
  await summary.waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});

test("a_file_that_is_no_trace_is_refused_in_a_sentence_and_nothing_is_lost", async () => {
  const { page, problems } = await replay();
  const before = await state(page, "trace");
  const at = await cursor(page);
  await drop(page, "holiday.jpg", "\u0000\u0001\u00ff not a trace \u0000");
  const dialog = page.getByRole("dialog", { name: "holiday.jpg" });
  await dialog.waitFor();
  const problem = dialog.getByTestId("import-problem");
  await says(problem, "looks like a binary file");
  // The dialog shows the first bytes. The file cannot be imported until the user chooses a format.
  await says(dialog, "00 01 c3 bf 20 6e");
  await expect.poll(() => importButton(page).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await state(page, "trace")).toEqual(before);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => cursor(page)).toBe(at + 1);
  expect(problems).toEqual([]);
});

test("text_can_be_pasted", async () => {
  const { page } = await replay();
  await openDialog(page);
  const dialog = page.getByRole("dialog");
  await dialog
    .getByRole("textbox")
    .fill("load 0x1000 8\nstore 0x2000 8\nfetch 0x400000 4\n");
  await dialog.getByRole("button", { name: "Preview", exact: true }).click();
  await importButton(page).click();
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
  await openDialog(page);
  await page.getByTestId("import-file").setInputFiles({
    name: "chosen.lackey",
    mimeType: "text/plain",
    buffer: Buffer.from(lackey([7, 8, 9])),
  });
  await importButton(page).click();
  await page.getByTestId("import-summary").waitFor();
  await ready(page);
  expect((await state(page, "trace"))?.name).toBe("chosen.lackey");
  await openDialog(page);
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

/** The file has no `0x`, no letters and no column names, so its format is guessed. */
const AMBIGUOUS = "8 4096 10\n8 8192 11\n8 12288 12\n";

test.each(["light", "dark"] as const)(
  "a_list_that_leaves_its_columns_open_is_mended_and_imported_%s",
  async (colorScheme) => {
    const { page, problems } = await visit("?test", { colorScheme });
    await ready(page);
    await drop(page, "columns.txt", AMBIGUOUS);
    const dialog = page.getByRole("dialog", { name: "columns.txt" });
    await dialog.waitFor();
    const records = dialog.getByRole("region", { name: "First records" });
    await says(records, "0x1000");
    await dialog.getByLabel("Numbers").selectOption("hexadecimal");
    await records.getByText("0x12288").waitFor();
    await dialog.getByLabel("Column 3, is").selectOption("address");
    await records.getByText("0x10", { exact: true }).waitFor();
    await dialog.getByLabel("Column 1, is").selectOption("size");
    await dialog.getByLabel("Column 2, is").selectOption("instruction");
    await records.getByText("0x4096").waitFor();
    await dialog.getByLabel("Accesses are").selectOption("stores");
    await records.getByText("store").first().waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByText("Import only").click();
    await dialog.getByLabel("At most").fill("2");
    await importButton(page).click();
    await page.getByTestId("import-summary").waitFor();
    await ready(page);
    expect(await state(page, "trace")).toMatchObject({
      n_accesses: 2,
      store: 2,
      name: "columns.txt",
    });
    // The choices of the previous import are still in the form, and can be changed.
    await page
      .getByRole("button", { name: "Import with other choices…" })
      .click();
    const numbers = dialog.getByLabel("Numbers");
    await expect.poll(() => numbers.inputValue()).toBe("hex");
    await dialog.getByLabel("At most").fill("");
    await importButton(page).click();
    await dialog.waitFor({ state: "detached" });
    const n = async () => (await state(page, "trace"))?.n_accesses;
    await expect.poll(n).toBe(3);
    expect(problems).toEqual([]);
  },
);

test("kept_traces_are_listed_after_a_reload_opened_deleted_and_put_back", async () => {
  const { page, problems } = await replay();
  await drop(page, "one.lackey", lackey([1, 2, 3]));
  await keptNames(page, ["one.lackey"]);
  await drop(page, "two.lackey", lackey([4, 5, 6, 7]));
  await keptNames(page, ["two.lackey", "one.lackey"]);
  await reopen(page, "?test");
  await ready(page);
  await openDialog(page);
  const list = page.getByTestId("kept-list");
  await list.getByText("valgrind lackey · complete · 3 accesses").waitFor();
  await says(list, "2 traces");
  await list.getByRole("button", { name: "Delete two.lackey" }).click();
  await list.getByText("two.lackey was deleted.").waitFor();
  await keptNames(page, ["one.lackey"]);
  await list.getByRole("button", { name: "Undo" }).click();
  await keptNames(page, ["two.lackey", "one.lackey"]);
  expect(await seriousViolations(page)).toEqual([]);
  await list.getByRole("button", { name: "Open one.lackey" }).click();
  await page.waitForFunction(
    () =>
      window.__pagewalk?.store.getState().trace?.name === "one.lackey" &&
      !window.__pagewalk.store.getState().stale,
  );
  await openDialog(page);
  await list.getByRole("button", { name: "Delete all…" }).click();
  await list.getByRole("button", { name: "Keep them" }).click();
  await list.getByRole("button", { name: "Delete all…" }).click();
  await list.getByRole("button", { name: "Delete all", exact: true }).click();
  await list.getByText("No traces yet.").waitFor();
  expect(problems).toEqual([]);
});

test("two_tabs_show_one_list_of_kept_traces", async () => {
  const { page } = await replay();
  await drop(page, "one.lackey", lackey([1, 2, 3]));
  await keptNames(page, ["one.lackey"]);
  await openDialog(page);
  const other = await page.context().newPage();
  await other.goto(page.url().replace(/#.*/, ""));
  await ready(other);
  await drop(other, "two.lackey", lackey([4, 5, 6, 7]));
  const list = page.getByTestId("kept-list");
  await list.getByRole("button", { name: "Open two.lackey" }).waitFor();
});

test("an_exported_trace_is_the_same_when_it_is_imported", async () => {
  const { page, problems } = await replay();
  const before = await state(page, "trace");
  await openDialog(page);
  const form = page.getByTestId("export-form");
  await form.getByLabel("As").selectOption("CSV");
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    form.getByRole("button", { name: "Save" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("chase-2048-4096-10000.csv");
  await form.getByText("operations are saved").waitFor();
  const text = await readFile(await saved.path(), "utf8");
  await form.getByLabel("As").selectOption("Dinero (din)");
  await Promise.all([
    page.waitForEvent("download"),
    form.getByRole("button", { name: "Save" }).click(),
  ]);
  await form.getByText(/Left out, .*: sizes \([\d,]+\)/).waitFor();
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await drop(page, "again.csv", text);
  await page.waitForFunction(
    () => window.__pagewalk?.store.getState().trace?.name === "again.csv",
  );
  await ready(page);
  const after = await state(page, "trace");
  const same = ({ n_accesses, fetch, load, store }: TraceView) => [
    n_accesses,
    fetch,
    load,
    store,
  ];
  expect(after && same(after)).toEqual(before && same(before));
  expect(after?.regions.map(({ pages }) => pages)).toEqual(
    before?.regions.map(({ pages }) => pages),
  );
  expect(problems).toEqual([]);
});

test("a_long_import_shows_its_progress_and_can_be_cancelled", async () => {
  const { page } = await replay();
  const before = await state(page, "trace");
  await page.evaluate(() => {
    // About 4 GB of text that take 10 MB of memory, because a blob can contain another one many times.
    const part = new Blob([" L 1000,8\n".repeat(1 << 20)]);
    const file = new Blob(Array.from({ length: 400 }, () => part));
    void window.__pagewalk?.actions.importFile({ file, name: "huge.lackey" });
  });
  const progress = page.getByTestId("import-progress");
  await progress.getByText(/MB\/s/).waitFor();
  await says(progress, /of .* GB .* accesses so far/);
  // The replay still works during the import.
  const at = await cursor(page);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => cursor(page)).toBe(at + 1);
  await progress.getByRole("button", { name: "Cancel" }).click();
  await progress.waitFor({ state: "detached" });
  expect(await state(page, "trace")).toEqual(before);
  expect(await state(page, "notices")).toEqual([]);
});

test("the_preview_is_of_the_processes_that_are_chosen", async () => {
  const { page, problems } = await replay();
  const rows = ["R,0x1000,8,7,7", "W,0x2000,8,9,9", "R,0x3000,8,9,10"];
  await drop(
    page,
    "three.csv",
    `kind,address,size,pid,tid\n${rows.join("\n")}`,
  );
  const dialog = page.getByRole("dialog", { name: "three.csv" });
  const records = dialog.getByRole("region", { name: "First records" });
  await records.getByText("0x1000").waitFor();
  const pick = (list: string, id: string) =>
    dialog
      .getByRole("group", { name: new RegExp(`^${list}`) })
      .getByRole("checkbox", { name: new RegExp(`^${id} `) });
  await pick("Processes", "9").check();
  await records.getByText("0x1000").waitFor({ state: "detached" });
  await says(records, "0x2000");
  await says(records, "0x3000");
  await dialog.getByText("by your selection").waitFor();
  // The list still has all threads.
  await pick("Threads", "10").check();
  await records.getByText("0x2000").waitFor({ state: "detached" });
  await pick("Processes", "9").uncheck();
  await pick("Processes", "7").check();
  const problem = dialog.getByTestId("import-problem");
  await problem
    .getByText(/The selection .* leaves none of its 3 accesses/)
    .waitFor();
  await expect.poll(() => importButton(page).isDisabled()).toBe(true);
  await pick("Threads", "10").uncheck();
  await records.getByText("0x1000").waitFor();
  await importButton(page).click();
  await page.waitForFunction(
    () => window.__pagewalk?.store.getState().trace?.name === "three.csv",
  );
  await ready(page);
  expect(await state(page, "trace")).toMatchObject({
    name: "three.csv",
    n_accesses: 1,
  });
  expect(problems).toEqual([]);
});

test("a_long_export_shows_its_progress_and_can_be_cancelled", async () => {
  const { page, problems } = await replay();
  await page.evaluate(async () => {
    const part = new Blob([" L 1000,8\n".repeat(1 << 20)]);
    const file = new Blob(Array.from({ length: 8 }, () => part));
    await window.__pagewalk?.actions.importFile({ file, name: "long.lackey" });
  });
  await ready(page);
  let saved = 0;
  page.on("download", () => (saved += 1));
  await openDialog(page);
  const form = page.getByTestId("export-form");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByRole("progressbar").waitFor();
  await form.getByText(/of 8,388,608 accesses/).waitFor();
  await form.getByRole("button", { name: "Cancel" }).click();
  await form.getByRole("button", { name: "Save" }).waitFor();
  expect(await form.getByTestId("exported").count()).toBe(0);
  expect(saved).toBe(0);
  expect(await state(page, "notices")).toEqual([]);
  // The selection does not affect the next import.
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  const at = await cursor(page);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => cursor(page)).toBe(at + 1);
  expect(problems).toEqual([]);
});

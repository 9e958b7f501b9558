import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { hashWith, ready, state } from "./app";
import { looksWell, reopen, useBrowser } from "./browser";

const visit = useBrowser();

/** Resolves when both machines have run and were compared access by access. */
async function compared(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const compare = window.__pagewalk?.store.getState().compare;
    return compare?.status === "idle" && compare.regions !== undefined;
  });
}

/** Resolves when both machines show this access. */
async function standAt(page: Page, index: number | undefined): Promise<void> {
  await page.waitForFunction((index) => {
    const { at, steps } = window.__pagewalk?.store.getState().compare ?? {};
    return at === index && steps?.every((step) => step?.index === index);
  }, index);
}

test("two_machines_stand_at_one_access_and_step_from_difference_to_difference", async () => {
  const { page, problems } = await visit("?test#screen=compare");
  await ready(page);
  await compared(page);
  const { lockstep, pair } = await state(page, "compare");
  expect(pair?.right.setup.os.default).toBe("2M");
  expect(lockstep?.differing).toBeGreaterThan(0);
  const first = lockstep?.listed[0]?.index;
  const both = page.getByRole("group", { name: "Both replays" });
  await both.getByRole("button", { name: "First difference" }).click();
  await standAt(page, first);
  const { steps } = await state(page, "compare");
  // The access has another outcome, or reads another number of entries.
  const ended = steps?.map((step) => [
    step?.outcome,
    step?.translations.map(({ refs }) => refs),
  ]);
  expect(ended?.[0]).not.toEqual(ended?.[1]);
  await both.getByRole("button", { name: "Next difference" }).click();
  const second = lockstep?.listed[1]?.index;
  await standAt(page, second);
  await both.getByRole("button", { name: "Step both back" }).click();
  await standAt(page, (second ?? 0) - 1);
  const totals = page.getByRole("region", { name: "Totals" });
  await totals.getByText("walks", { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

test("a_link_restores_both_machines_and_the_access", async () => {
  const first = await visit("?test#screen=compare");
  await ready(first.page);
  await compared(first.page);
  const pickers = first.page.getByRole("group", { name: "Right" });
  await pickers.locator("[data-picker=CPU]").click();
  await first.page.getByRole("option", { name: /^Zen 2/ }).click();
  const right = async (page: Page) =>
    (await state(page, "compare")).pair?.right.cpu;
  await expect.poll(() => right(first.page)).toBe("amd-zen2");
  await compared(first.page);
  await first.page.getByRole("button", { name: "First difference" }).click();
  const { lockstep } = await state(first.page, "compare");
  const where = lockstep?.listed[0]?.index;
  await standAt(first.page, where);
  await hashWith(first.page, "right=cpu=amd-zen2");
  const hash = await hashWith(first.page, `access=${where}`);
  const { page, problems } = await visit(`?test${hash}`);
  await ready(page);
  await compared(page);
  expect(await right(page)).toBe("amd-zen2");
  await standAt(page, where);
  expect(problems).toEqual([]);
});

test("all_models_run_and_one_of_them_is_set_at_the_right", async () => {
  const { page, problems } = await visit(
    "?test#screen=compare&compare=models&view=models.sort:walks,descending",
  );
  await ready(page);
  await page.waitForFunction(
    () => window.__pagewalk?.store.getState().compare.models?.status === "done",
  );
  const { models } = await state(page, "compare");
  const cpus = await state(page, "cpus");
  const processors = cpus.filter(({ group }) => group === undefined);
  expect(models?.runs.length).toBe(processors.length);
  expect(processors.length).toBeLessThan(cpus.length);
  const table = page.getByRole("table", { name: "All CPU models" });
  const head = table.getByRole("columnheader", { name: "walks" });
  await expect.poll(() => head.getAttribute("aria-sort")).toBe("descending");
  const other = table.getByRole("button", { name: /^Compare / }).first();
  const name = (await other.getAttribute("aria-label"))?.slice(8);
  await other.click();
  const right = async () =>
    (await state(page, "compare")).pair?.view.machines[1].name;
  await expect.poll(right).toBe(name);
  await compared(page);
  expect(problems).toEqual([]);
});

test("a_saved_machine_is_offered_for_the_right_side", async () => {
  const { page, problems } = await visit("?test#screen=compare");
  await ready(page);
  await compared(page);
  await page.evaluate(async () => {
    const app = window.__pagewalk;
    const machine = app?.store.getState().configuration?.setup.machine;
    if (!app || !machine) throw new Error("There is no machine.");
    const l2 = machine.l2.map((array) =>
      array.entries === 1536 ? { ...array, entries: 768 } : array,
    );
    await app.actions.setMachine({ ...machine, l2 });
    await app.actions.saveMachine("half an STLB");
    await app.actions.chooseCpu("intel-skylake-sp");
  });
  await ready(page);
  const right = page.getByRole("group", { name: "Right" });
  await right.getByRole("button", { name: /^CPU/ }).click();
  await page.getByRole("option", { name: "half an STLB" }).click();
  const entries = async () => {
    const { pair } = await state(page, "compare");
    return [pair?.left, pair?.right].map(
      (side) => side?.setup.machine.l2[0]?.entries,
    );
  };
  await expect.poll(entries).toEqual([1536, 768]);
  await compared(page);
  expect(problems).toEqual([]);
});

test("runs_are_saved_survive_a_reload_and_are_compared_deleted_and_put_back", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  const save = async (name: string) => {
    await page.getByRole("button", { name: "Save run" }).click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.keyboard.press("Enter");
    await page.getByText(`“${name}” is saved`).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  await save("on 4K");
  await page.evaluate(() => window.__pagewalk?.actions.choosePages("2M"));
  await ready(page);
  await save("on 2M");

  await reopen(page, "?test#screen=compare&compare=saved");
  await ready(page);
  const table = page.getByRole("table", { name: "Saved runs" });
  await table.getByRole("rowheader", { name: "on 2M" }).waitFor();
  await page.getByRole("checkbox", { name: "Select on 4K" }).check();
  await page.getByRole("button", { name: "Baseline" }).click();
  await table.getByText("−", { exact: false }).first().waitFor();
  await page.getByRole("checkbox", { name: "Select on 2M" }).check();
  expect(await hashWith(page, "saved.baseline")).toMatch(
    /[#&]view=[^&]*saved\.baseline/,
  );

  const download = page.waitForEvent("download");
  await page
    .getByRole("button", { name: "Save “Saved runs” as JSON lines" })
    .click();
  expect((await download).suggestedFilename()).toBe("saved-runs.jsonl");

  await page
    .getByRole("group", { name: "Selected runs" })
    .getByRole("button", { name: "Compare" })
    .click();
  const pages = async () => {
    const { pair } = await state(page, "compare");
    return [pair?.left.setup.os.default, pair?.right.setup.os.default];
  };
  await expect.poll(pages).toEqual(["4K", "2M"]);
  await compared(page);

  await page.getByRole("radio", { name: "Saved runs" }).check();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("2 runs were deleted.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await table.getByRole("rowheader", { name: "on 4K" }).waitFor();
  expect(problems).toEqual([]);
});

test.each(["pair", "models", "saved"] as const)(
  "axe_finds_nothing_serious_in_%s",
  async (part) => {
    const where = part === "pair" ? "" : `&compare=${part}`;
    const { page } = await visit(`?test#screen=compare${where}`);
    await ready(page);
    if (part === "pair") await compared(page);
    if (part === "saved") {
      await page.evaluate(() =>
        window.__pagewalk?.actions.saveRun({ name: "a run", note: "" }),
      );
      await page.getByRole("checkbox").check();
    }
    if (part === "models")
      await page.getByText(/models, cheapest first/).waitFor();
    await looksWell(page);
  },
);

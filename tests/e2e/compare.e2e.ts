import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ready, state } from "./app";
import { seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

/** Resolves when both machines have run and were compared access by access. */
async function compared(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const compare = window.__pagewalk?.store.getState().compare;
    return compare?.status === "idle" && compare.regions !== undefined;
  });
}

const at = async (page: Page) => (await state(page, "compare")).at;

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
  await page.waitForFunction(
    (index) => window.__pagewalk?.store.getState().compare.at === index,
    first,
  );
  const { steps } = await state(page, "compare");
  expect(steps?.map((step) => step?.index)).toEqual([first, first]);
  // It ends elsewhere, or reads another number of entries.
  const ended = steps?.map((step) => [
    step?.outcome,
    step?.translations.map(({ refs }) => refs),
  ]);
  expect(ended?.[0]).not.toEqual(ended?.[1]);
  await both.getByRole("button", { name: "Next difference" }).click();
  const second = lockstep?.listed[1]?.index;
  await page.waitForFunction(
    (index) => window.__pagewalk?.store.getState().compare.at === index,
    second,
  );
  await both.getByRole("button", { name: "Step both back" }).click();
  await page.waitForFunction(
    (index) => window.__pagewalk?.store.getState().compare.at === index,
    (second ?? 0) - 1,
  );
  const totals = page.getByRole("region", { name: "Totals" });
  await totals.getByText("walks", { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

test("a_link_restores_both_machines_and_the_access", async () => {
  const first = await visit("?test#screen=compare");
  await ready(first.page);
  await compared(first.page);
  const right = first.page.getByRole("group", { name: "Right" });
  await right.locator("[data-picker=CPU]").click();
  await first.page.getByRole("option", { name: /^Zen 2/ }).click();
  await compared(first.page);
  await first.page.getByRole("button", { name: "First difference" }).click();
  await first.page.waitForFunction(() =>
    /right=cpu=amd-zen2/.test(location.hash),
  );
  const where = await at(first.page);
  await first.page.waitForFunction(
    (access) => location.hash.includes(`access=${access}`),
    where,
  );
  const { hash } = new URL(first.page.url());
  const { page, problems } = await visit(`?test${hash}`);
  await ready(page);
  await compared(page);
  expect((await state(page, "compare")).pair?.right.cpu).toBe("amd-zen2");
  expect(await at(page)).toBe(where);
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
  expect(models?.runs.length).toBe((await state(page, "cpus")).length);
  const table = page.getByRole("table", { name: "All CPU models" });
  const head = table.getByRole("columnheader", { name: "walks" });
  expect(await head.getAttribute("aria-sort")).toBe("descending");
  const other = table.getByRole("button", { name: /^Compare / }).first();
  const name = (await other.getAttribute("aria-label"))?.slice(8);
  await other.click();
  await compared(page);
  const { pair } = await state(page, "compare");
  expect(pair?.view.machines[1].name).toBe(name);
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
  };
  await save("on 4K");
  await page.evaluate(() => window.__pagewalk?.actions.choosePages("2M"));
  await ready(page);
  await save("on 2M");

  await page.goto(page.url().replace(/#.*/, "#screen=compare&compare=saved"));
  await page.reload();
  await ready(page);
  const table = page.getByRole("table", { name: "Saved runs" });
  await table.getByRole("rowheader", { name: "on 2M" }).waitFor();
  await page.getByRole("checkbox", { name: "Choose on 4K" }).check();
  await page.getByRole("button", { name: "Baseline" }).click();
  await table.getByText("−", { exact: false }).first().waitFor();
  await page.getByRole("checkbox", { name: "Choose on 2M" }).check();
  await page.waitForFunction(() =>
    /view=.*saved\.baseline/.test(location.hash),
  );

  const download = page.waitForEvent("download");
  await page
    .getByRole("button", { name: "Save “Saved runs” as JSON lines" })
    .click();
  expect((await download).suggestedFilename()).toBe("saved-runs.jsonl");

  await page
    .getByRole("group", { name: "With those chosen" })
    .getByRole("button", { name: "Compare" })
    .click();
  await compared(page);
  const { pair } = await state(page, "compare");
  expect(pair?.left.setup.os.default).toBe("4K");
  expect(pair?.right.setup.os.default).toBe("2M");

  await page.getByRole("radio", { name: "Saved runs" }).check();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("2 runs were deleted.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await table.getByRole("rowheader", { name: "on 4K" }).waitFor();
  expect(problems).toEqual([]);
});

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

const parts = ["pair", "models", "saved"] as const;
const views = parts.flatMap((part) =>
  (["light", "dark"] as const).map((theme) => [part, theme] as const),
);

test.each(views)(
  "axe_finds_nothing_serious_in_%s_in_the_%s_theme",
  async (part, colorScheme) => {
    const where = part === "pair" ? "" : `&compare=${part}`;
    for (const viewport of sizes) {
      const options = { colorScheme, viewport };
      const { page } = await visit(`?test#screen=compare${where}`, options);
      await ready(page);
      if (part === "pair") await compared(page);
      if (part === "saved") {
        await page.evaluate(() =>
          window.__pagewalk?.actions.saveRun({ name: "a run", note: "" }),
        );
        await page.getByRole("checkbox").check();
      }
      if (part === "models")
        await page.getByText(/models, the cheapest first/).waitFor();
      expect(await seriousViolations(page), `${viewport.width}`).toEqual([]);
      const width = await page.evaluate(
        () => document.documentElement.scrollWidth,
      );
      expect(width).toBeLessThanOrEqual(viewport.width);
      await page.context().close();
    }
  },
);

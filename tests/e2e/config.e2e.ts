import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ready, says, state } from "./app";
import { useBrowser } from "./browser";

const visit = useBrowser();

async function replay() {
  const { page } = await visit("?test");
  await ready(page);
  return page;
}

/** Waits until the machine on the screen has this name. */
async function shows(page: Page, machine: string): Promise<void> {
  await page.waitForFunction((name) => {
    const app = window.__pagewalk?.store.getState();
    return app?.machine?.name === name && !app.stale;
  }, machine);
}

test("another_cpu_is_simulated_at_the_same_access", async () => {
  const page = await replay();
  const before = await state(page, "cursor");
  await page.getByRole("button", { name: /^CPU/ }).click();
  await page.getByRole("option", { name: "Zen 2" }).click();
  await shows(page, "Zen 2");
  expect(await state(page, "cursor")).toBe(before);
});

test("larger_pages_change_the_walk", async () => {
  const page = await replay();
  await page.getByRole("button", { name: /^Pages/ }).click();
  await page.getByRole("option", { name: "2M", exact: true }).click();
  await page.waitForFunction(() => {
    const { snapshot, stale } = window.__pagewalk?.store.getState() ?? {};
    return !stale && snapshot?.step.translations[0]?.page_shift === 21;
  });
  await ready(page);
  expect((await state(page, "report"))?.pages["2M"]).toBeGreaterThan(0);
});

test("a_changed_array_is_run_and_can_be_undone", async () => {
  const page = await replay();
  await page.keyboard.press("e");
  const entries = page.getByLabel("Entries of L1 dTLB 4K");
  await entries.fill("128");
  await entries.press("Enter");
  await page.waitForFunction(() => {
    const { machine, stale } = window.__pagewalk?.store.getState() ?? {};
    return !stale && machine?.structures[2]?.sets === 32;
  });
  await page.getByRole("button", { name: /^CPU Skylake-SP, edited/ }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => {
    const { machine, stale } = window.__pagewalk?.store.getState() ?? {};
    return !stale && machine?.structures[2]?.sets === 16;
  });
  await expect.poll(() => entries.inputValue()).toBe("64");
});

test("an_impossible_number_of_ways_is_told_at_the_field_and_the_rest_stays", async () => {
  const page = await replay();
  await page.keyboard.press("e");
  const ways = page.getByLabel("Ways of L1 dTLB 4K");
  await ways.fill("3");
  await ways.press("Enter");
  const problem = page.getByTestId("l1[2]").getByRole("alert");
  await says(problem, "3 ways");
  await expect.poll(() => ways.getAttribute("aria-invalid")).toBe("true");
  expect((await state(page, "machine"))?.structures[2]?.ways).toBe(4);
  await ways.fill("8");
  await ways.press("Enter");
  await problem.waitFor({ state: "detached" });
  await page.waitForFunction(
    () =>
      window.__pagewalk?.store.getState().machine?.structures[2]?.ways === 8,
  );
});

test("what_only_the_core_refuses_is_told_at_the_field_too", async () => {
  const page = await replay();
  await page.keyboard.press("e");
  const size = page.getByLabel("Size of L1D");
  await size.fill("1000");
  await size.press("Enter");
  const row = page.getByTestId("memory.caches[0]");
  await row.getByRole("alert").waitFor();
  const wrong = row.locator('[aria-invalid="true"]');
  await expect.poll(() => wrong.count()).toBe(1);
});

test("arrays_are_added_and_removed", async () => {
  const page = await replay();
  await page.keyboard.press("e");
  const count = () =>
    state(page, "machine").then((machine) => machine?.structures.length);
  const before = (await count()) ?? 0;
  await page.getByRole("button", { name: "Add an array" }).last().click();
  await page.getByLabel("Name of L2 array").waitFor();
  await page.waitForFunction(
    (n) =>
      window.__pagewalk?.store.getState().machine?.structures.length === n + 1,
    before,
  );
  await page.getByRole("button", { name: "Remove L2 array" }).click();
  await page.waitForFunction(
    (n) => window.__pagewalk?.store.getState().machine?.structures.length === n,
    before,
  );
});

test("a_machine_can_be_pasted_as_json_and_errors_name_their_field", async () => {
  const page = await replay();
  await page.keyboard.press("e");
  await page.getByRole("radio", { name: "JSON" }).check();
  const text = page.getByLabel("The machine as JSON");
  const apply = page.getByRole("button", { name: "Apply" });
  await text.fill('{"l1": [{"entries": 12, "ways": 4}]}');
  await apply.click();
  await says(page.getByRole("alert"), "l1[0]");
  await text.fill('{"name": "toy", "l1": [{"entries": 8, "ways": 2}]}');
  await apply.click();
  await shows(page, "toy");
  await page.getByRole("radio", { name: "Machine" }).check();
  const ways = page.getByLabel("Ways of the array");
  await expect.poll(() => ways.inputValue()).toBe("2");
});

test("a_region_gets_pages_of_its_own", async () => {
  const page = await replay();
  await page.getByRole("button", { name: /^Pages/ }).click();
  await page.getByRole("option", { name: /^By region/ }).click();
  await page
    .getByRole("button", { name: /^Add .+ from 0x/ })
    .first()
    .click();
  await page.getByRole("button", { name: /^Pages by region/ }).waitFor();
  await page.waitForFunction(() => {
    const { report, stale } = window.__pagewalk?.store.getState() ?? {};
    return !stale && (report?.pages["2M"] ?? 0) > 0;
  });
  const end = page.getByLabel(/^End of/);
  await end.fill("0x10");
  await end.press("Enter");
  await page.getByTestId("os.regions[0]").getByRole("alert").waitFor();
});

test("what_is_no_number_is_told_and_dropped_by_undo", async () => {
  const page = await replay();
  await page.keyboard.press("e");
  const entries = page.getByLabel("Entries of L1 dTLB 4K");
  await entries.fill("128");
  await entries.press("Enter");
  await entries.fill("abc");
  await entries.press("Enter");
  const problem = page.getByTestId("l1[2]").getByRole("alert");
  await says(problem, "“abc” is not a number");
  await page.getByRole("button", { name: "Undo" }).click();
  await problem.waitFor({ state: "detached" });
  await expect.poll(() => entries.inputValue()).toBe("64");
});

test("typed_json_stays_until_it_is_applied_or_discarded", async () => {
  const page = await replay();
  await page.keyboard.press("e");
  await page.getByRole("radio", { name: "JSON" }).check();
  const text = page.getByLabel("The machine as JSON");
  await text.fill("{ mine");
  await text.press("Escape");
  await text.waitFor({ state: "detached" });
  await page.keyboard.press("e");
  await page.getByRole("radio", { name: "JSON" }).check();
  await expect.poll(() => text.inputValue()).toBe("{ mine");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => text.inputValue()).toContain('"l1"');
});

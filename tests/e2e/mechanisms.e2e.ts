import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { drop, hashWith, ready, says, state, step } from "./app";
import { seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

async function replay(hash = "") {
  const { page } = await visit(`?test${hash}`);
  await ready(page);
  return page;
}

/** Polls the texts of the rows of a table of the totals. */
function totals(page: Page, title: string) {
  const table = page.getByRole("table", { name: title, exact: true });
  return expect.poll(() => table.locator("tbody tr").allInnerTexts());
}

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);

test("a_two_dimensional_walk_is_stepped_inside_and_its_link_keeps_it", async () => {
  const page = await replay();
  await page.getByRole("button", { name: /^Memory/ }).click();
  await page.getByRole("radio", { name: "EPT" }).click();
  await page.waitForFunction(() => {
    const { snapshot, stale } = window.__pagewalk?.store.getState() ?? {};
    return !stale && snapshot?.step.translations[0]?.nested;
  });
  await page.keyboard.press("Escape");
  await ready(page);

  const { translations } = await step(page);
  const nested = translations[0]?.nested;
  expect(nested?.cold_refs).toBe(24);
  const grid = page.getByRole("listbox", { name: "References of the walk" });
  await grid.waitFor();
  await expect.poll(() => grid.getByRole("option").count()).toBe(24);

  // The keys walk inside the access and leave the replay where it is.
  const access = await state(page, "cursor");
  await grid.focus();
  await page.keyboard.press("Home");
  const reference = page.getByRole("region", { name: "Reference" });
  await reference.getByText(/^step 1 of/).waitFor();
  await page.keyboard.press("ArrowRight");
  await reference.getByText(/^step 2 of/).waitFor();
  expect(await state(page, "cursor")).toBe(access);

  // A cell that was read explains its entry: address, value, bits.
  const read = nested?.rows
    .flatMap(({ host, guest }) => (guest ? [...host, guest] : host))
    .find((cell) => cell.state === "read");
  if (!read) throw new Error("Nothing was read.");
  await page.keyboard.press("End");
  await grid
    .getByRole("option")
    .nth(read.n - 1)
    .click();
  await says(reference, `Reference ${read.n}`);
  await says(reference, read.address);
  expect(await seriousViolations(page)).toEqual([]);

  const hash = await hashWith(page, "virt=ept");
  const { page: reopened } = await visit(`?test${hash}`);
  await ready(reopened);
  expect(await state(reopened, "cursor")).toBe(access);
  expect((await step(reopened)).translations[0]?.nested?.cold_refs).toBe(24);
});

test("transparent_huge_pages_change_the_totals", async () => {
  const page = await replay();
  await page.getByRole("button", { name: "Totals" }).click();
  await totals(page, "Pages").toHaveProperty("0", like(/^mapped, 4K/));
  const before = (await state(page, "report"))?.walks.walks ?? 0;
  await page.getByRole("button", { name: /^Pages 4K/ }).click();
  await page.getByRole("option", { name: "THP" }).click();
  await page.waitForFunction(() => {
    const { report, stale } = window.__pagewalk?.store.getState() ?? {};
    return !stale && (report?.pages["2M"] ?? 0) > 0;
  });
  await ready(page);
  await totals(page, "Pages").toContainEqual(like(/^mapped, 2M/));
  expect((await state(page, "report"))?.walks.walks).toBeLessThan(before);
  const memory = totals(page, "Memory at the end");
  await memory.toHaveProperty("2", like(/^wasted\s+[1-9]/));
  expect(await seriousViolations(page)).toEqual([]);
});

test("policies_are_edited_and_contradictions_told_at_their_field", async () => {
  const page = await replay("#pages=thp");
  await page.getByRole("button", { name: /^Pages/ }).click();
  await page.getByRole("option", { name: /^By region/ }).click();
  await page.getByRole("checkbox", { name: /^khugepaged promotes/ }).check();
  await page.getByRole("checkbox", { name: /^A fault maps/ }).uncheck();
  await page.waitForFunction(() => {
    const { report, stale } = window.__pagewalk?.store.getState() ?? {};
    return !stale && (report?.system.promotions ?? 0) > 0;
  });
  const share = page.getByLabel("Fragmentation of memory in per cent");
  await share.fill("101");
  await share.press("Enter");
  const problem = page.getByTestId("os.thp").getByRole("alert");
  await says(problem, "0 to 100");
  await expect.poll(() => share.getAttribute("aria-invalid")).toBe("true");
  await share.fill("100");
  await share.press("Enter");
  // No block of memory is free: nothing can be promoted.
  await page.waitForFunction(() => {
    const { report, stale } = window.__pagewalk?.store.getState() ?? {};
    return !stale && report?.system.promotions === 0;
  });

  await page.getByLabel("Pages of all other memory").selectOption("hugetlb-2M");
  await page.getByRole("button", { name: "Add a pool" }).click();
  const size = page.getByLabel("Pages in the pool of 2M");
  await size.fill("1");
  await size.press("Enter");
  await page.waitForFunction(() => {
    const { report, stale } = window.__pagewalk?.store.getState() ?? {};
    return !stale && (report?.faults.bus_errors ?? 0) > 0;
  });
  expect(await seriousViolations(page)).toEqual([]);
});

const OPERATIONS = `kind,address,size,pid,tid,cpu
load,0x10000,8,1,1,0
load,0x11000,8,1,2,1
invlpg,0x10000,,1,1,0
load,0x10000,8,1,1,0
load,0x800000000000,8,1,1,0
`;

test("operations_are_told_drawn_and_found_and_cores_can_be_chosen", async () => {
  const page = await replay();
  await drop(page, "operations.csv", OPERATIONS);
  await page.waitForFunction(() => {
    const { trace, stale } = window.__pagewalk?.store.getState() ?? {};
    return trace?.name === "operations.csv" && !stale;
  });
  await ready(page);
  await page.keyboard.press("Home");
  await page.keyboard.press("o");
  await page.waitForFunction(
    () => window.__pagewalk?.store.getState().snapshot?.step.index === 2,
  );
  const access = page.getByTestId("access");
  await access.getByRole("button", { name: /^Invalidated here: / }).click();
  const lists = page.getByRole("dialog");
  await lists.getByRole("button", { name: "PDE cache −1" }).waitFor();
  await page.keyboard.press("Escape");
  await access.getByRole("button", { name: "The access in words" }).click();
  await expect
    .poll(() => lists.innerText())
    .toContain("Before it: INVLPG 0x10000 (");
  await page.keyboard.press("Escape");
  await page.locator(".tlb-gone").first().waitFor();
  const operations = page.locator(".timeline-svg .timeline-operation");
  await expect.poll(() => operations.count()).toBe(1);
  await page.keyboard.press("End");
  await access.getByText("the address is not canonical").first().waitFor();

  await page.getByRole("button", { name: /^Cores one/ }).click();
  await page.getByRole("option", { name: /per thread: 2 cores/ }).click();
  await page.waitForFunction(() => {
    const { report, stale } = window.__pagewalk?.store.getState() ?? {};
    return !stale && report?.cores?.length === 2;
  });
  // A key means a letter to the list as long as it is open.
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await page.keyboard.press("t");
  await totals(page, "Cores").toHaveLength(2);
  await hashWith(page, "cores=tid");

  // The TLBs of another core can be shown. They hold the one page that its thread used.
  await page.keyboard.press("t");
  const whose = page.getByLabel("Whose core is shown");
  await expect
    .poll(() => whose.locator("option").allInnerTexts())
    .toEqual(["follow: thread 1", "thread 1", "thread 2"]);
  await whose.selectOption("thread 2");
  const shown = () =>
    page.evaluate(() => {
      const { snapshot } = window.__pagewalk?.store.getState() ?? {};
      const keys = snapshot?.columns[2]?.keyShift ?? [];
      return { core: snapshot?.core, used: keys.filter((n) => n > 0).length };
    });
  await expect.poll(shown).toEqual({ core: 2, used: 1 });
  await page.keyboard.press("Home");
  await expect.poll(shown).toEqual({ core: 2, used: 0 });
  await whose.selectOption({ index: 0 });
  await expect.poll(async () => (await shown()).core).toBeUndefined();
  expect(await seriousViolations(page)).toEqual([]);
});

test("a_variant_of_a_model_is_simulated_and_its_link_keeps_it", async () => {
  const page = await replay();
  await page.getByRole("button", { name: /^CPU/ }).click();
  await page.getByRole("option", { name: /^Hyper-Threading/ }).click();
  await page
    .getByRole("button", { name: /^CPU Skylake-SP, Hyper-Threading/ })
    .waitFor();
  const hash = await hashWith(page, "cpu=intel-skylake-sp:");
  await ready(page);
  const machine = await state(page, "machine");
  const { page: reopened } = await visit(`?test${hash}`);
  await ready(reopened);
  expect(await state(reopened, "machine")).toEqual(machine);
  await reopened
    .getByRole("button", { name: /^CPU Skylake-SP, Hyper-Threading/ })
    .waitFor();
});

/** Programs in C on the screen Code: from the choice of the language to the walks of a line. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { drop, hashWith, ready, says, state } from "./app";
import { looksWell, useBrowser } from "./browser";

const visit = useBrowser();

async function first(page: Page) {
  const codeScreen = await state(page, "codeScreen");
  if (!codeScreen) throw new Error("There is no program.");
  return codeScreen.programs[0];
}

async function type(page: Page, code: string) {
  await page.evaluate((code) => {
    window.__pagewalk?.actions.editProgram(0, { code });
  }, code);
}

async function run(page: Page) {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const hasEnded = async () => {
    const { run, shown } = await first(page);
    return (
      run?.status === "failed" || (!run && shown?.attribution !== undefined)
    );
  };
  await expect.poll(hasEnded).toBe(true);
}

test("c_shows_its_lines_mistakes_traps_sliders_and_link", async () => {
  const { page, problems } = await visit("?test#screen=code");
  await page.getByTestId("code").waitFor();
  await ready(page);
  await page.getByLabel("Language").selectOption("c");
  await says(page.getByTestId("compiler"), /Loading the compiler.* of 2\d/);
  await page.getByTestId("compiler").waitFor({ state: "detached" });
  await run(page);
  await says(page.locator(".code-outcome"), "exit status 0");
  await says(page.getByLabel("Output of the program"), "sum by rows: ");
  const line = page.locator(".code-line-numbers");
  const heat = page.locator(".cm-heats .cm-heat[data-heat='4']");
  await heat.first().waitFor();
  await looksWell(page);

  // The line of the sum: its number goes to its next walk, and the cursor lights it.
  const at = (await first(page)).code
    .split("\n")
    .findIndex((text) => text.includes("s += m[i][j]"));
  await page.locator(`.cm-heats .cm-heat[title^="Line ${at + 1}:"]`).click();
  await says(
    line,
    new RegExp(`Line ${at + 1} 1,048,576 accesses · 2,049 L1 misses`),
  );
  await says(page.locator(".cm-line.cm-at"), "s += m[i][j]");
  await says(
    page.locator(".code-cursor"),
    new RegExp(`line ${at + 1} loads m[[ ].* walk`),
  );

  // Fetches are marked as an estimate, and make the link longer.
  await page.getByLabel("Estimated fetches").check();
  await run(page);
  await says(page.locator(".code-body"), "Fetches are an estimate: one before");
  const { trace } = (await first(page)).shown ?? {};
  expect(trace).toMatchObject({ fetch: (trace?.n_accesses ?? 0) / 2 });
  await hashWith(page, "build=c-O1-fetches");
  await page.getByLabel("Estimated fetches").uncheck();
  await run(page);

  // A slider runs the program again with another number.
  await page.getByRole("slider", { name: "ROWS" }).press("ArrowLeft");
  await expect
    .poll(async () => (await first(page)).shown?.code ?? "")
    .toMatch(/#define ROWS (?!2048)/);

  await type(page, "int main(void) {\n  return y;\n}\n");
  await run(page);
  await says(
    page.locator(".cm-problem"),
    "Line 2. use of undeclared identifier 'y'",
  );
  await says(page.locator(".cm-wrong-place"), "y");

  await type(
    page,
    "int main(void) {\n  volatile int n = 1;\n  return n + *(volatile int *)0x7ffffff0;\n}\n",
  );
  await run(page);
  await says(
    page.locator(".code-trap"),
    /^Line 3 The program stopped.*outside of its memory/,
  );

  const hash = await hashWith(page, "build=c-O1");
  const other = await visit(`?test${hash}`);
  await other.page.getByTestId("code").waitFor();
  await ready(other.page);
  expect(await first(other.page)).toMatchObject({
    waits: "reader",
    build: { language: "c", level: "1" },
  });
  await says(other.page.locator(".code-foreign"), "came with a link");
  expect(other.requests.filter((url) => url.includes(".pack"))).toEqual([]);
  expect(problems).toEqual([]);
});

test.each(["tree", "heap", "sieve"])(
  "a_module_of_another_language_is_dropped: %s",
  async (name) => {
    const { page, problems } = await visit("?test#screen=replay");
    await ready(page);
    const file = `tests/fixtures/programs/${name}.wasm`;
    await drop(page, `${name}.wasm`, readFileSync(file));
    await page.waitForFunction(
      (name) =>
        window.__pagewalk?.store.getState().trace?.name === `${name}.wasm`,
      name,
    );
    const trace = await state(page, "trace");
    expect(trace?.load).toBeGreaterThan(10_000);
    expect(trace?.store).toBeGreaterThan(1_000);
    expect(trace?.import.completeness).toBe("complete");
    expect(problems).toEqual([]);
  },
);

test("the_trace_of_a_linked_program_in_c_is_made_again_after_a_crash", async () => {
  const { page } = await visit("?test#screen=code");
  await page.getByTestId("code").waitFor();
  await ready(page);
  await page.getByLabel("Language").selectOption("c");
  await page.getByTestId("compiler").waitFor();
  await page.getByTestId("compiler").waitFor({ state: "detached" });
  await run(page);
  const n = (await first(page)).shown?.trace.n_accesses;
  await page.evaluate(() => window.__pagewalk?.actions.openProgram(0));
  const hash = await hashWith(page, "data=1.program.");

  // Another browser does not have the trace.
  const other = await visit(`?test${hash}`);
  await ready(other.page);
  await other.page.getByRole("button", { name: "Run the program" }).click();
  await says(
    other.page.getByTestId("import-progress"),
    /^Running .*(Loading|Compiling|Preparing|Running)/,
  );
  const nOpen = async () => (await state(other.page, "trace"))?.n_accesses;
  await expect.poll(nOpen).toBe(n);
  await other.page
    .getByTestId("import-progress")
    .waitFor({ state: "detached" });
  await ready(other.page);
  expect(await hashWith(other.page, "data=1.program.")).toBe(hash);
  await other.page.evaluate(() => window.__pagewalk?.actions.crash());
  await says(other.page.getByTestId("notice"), /restarted with your trace/);
  await ready(other.page);
  expect(await nOpen()).toBe(n);
});

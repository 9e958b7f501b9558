import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SCRIPT_EXAMPLES } from "../../src/model/code/scriptExamples";
import { hashWith, ready, says, state, step } from "./app";
import { looksWell, reopen, SIZES, useBrowser } from "./browser";

const visit = useBrowser();

async function open(options = {}) {
  const there = await visit("?test#screen=code", options);
  await there.page.getByTestId("code").waitFor();
  await ready(there.page);
  return there;
}

/** Puts code into the editor, as a paste does, and runs it. */
async function run(page: Page, code: string) {
  await page.evaluate(async (code) => {
    window.__pagewalk?.actions.editProgram(0, { code });
    await window.__pagewalk?.actions.runProgram(0);
  }, code);
  return programOf(page);
}

/** The first program of the screen. */
async function programOf(page: Page) {
  const codeScreen = await state(page, "codeScreen");
  if (!codeScreen) throw new Error("There is no program.");
  return codeScreen.programs[0];
}

/** Waits until all programs have run, and their misses are counted. */
async function complete(page: Page) {
  await page.waitForFunction(() =>
    window.__pagewalk?.store
      .getState()
      .codeScreen?.programs.every(
        ({ run, shown }) => !run && shown?.attribution,
      ),
  );
}

/** Runs code, and returns the message of its failure. */
async function problem(page: Page, code: string) {
  const { run: ended } = await run(page, code);
  if (ended?.status !== "failed") return ended?.status ?? "nothing";
  const { line, message } = ended.problem;
  return `${line ?? "–"}: ${message}`;
}

test("the_first_visit_shows_a_run_and_leaves_the_replay_alone", async () => {
  const { page, problems } = await open();
  const before = await state(page, "trace");
  await complete(page);
  const numbers = page.getByRole("table", { name: "Numbers of the run" });
  await says(
    numbers,
    /rows4,194,3048,192 0\.20\s%8,192 0\.20\s%, 8,192 faults374,376/,
  );
  await says(page.locator(".code-see"), "8,192 walks for 4,194,304 reads");
  await page.getByTestId("timeline 0").locator("canvas").waitFor();
  expect(await state(page, "trace")).toEqual(before);
  expect(problems).toEqual([]);
});

test("a_program_is_a_trace_as_any_other_with_its_arrays_and_lines", async () => {
  const { page, problems } = await open();
  await complete(page);
  await page.getByLabel("Example", { exact: true }).selectOption("tiles");
  // The previous picture has its own name until the new one is there.
  await says(page.locator(".code-note"), "Until it ends, this is “rows”.");
  await page.locator(".code-body[data-stale]").waitFor();
  await says(page.locator(".code-title"), "tiles");
  await complete(page);
  const rows = page.getByRole("table", { name: "Misses by regions" });
  await rows.getByRole("button", { name: /^from / }).waitFor();
  await page.getByRole("radio", { name: "instruction" }).click();
  await page
    .getByRole("table", { name: "Misses by instructions" })
    .getByRole("button", { name: /^line 13/ })
    .waitFor();

  // The cursor goes to a walk of the line with most walks, and the editor lights it.
  await page.locator(".cm-line.cm-at").waitFor();
  await says(page.locator(".code-cursor"), / (walk|page fault)/);
  // It was in the middle before.
  const share = async () => (await state(page, "codeScreen"))?.at;
  await expect.poll(share).not.toBe(0.5);
  await page.getByRole("button", { name: "Open in replay" }).click();
  await page.getByTestId("access").waitFor();
  await ready(page);
  expect(await state(page, "trace")).toMatchObject({
    name: "tiles",
    n_accesses: 2 * 1024 * 1024,
    import: { format: "loop", completeness: "complete" },
  });
  const { at = 0 } = (await state(page, "codeScreen")) ?? {};
  expect((await step(page)).index).toBe(Math.floor(at * 2 * 1024 * 1024));
  await expect.poll(() => state(page, "kept")).toHaveLength(1);
  expect(problems).toEqual([]);
});

test("two_programs_have_one_table_and_one_cursor", async () => {
  const { page } = await open();
  await complete(page);
  await page.getByRole("button", { name: "Compare with “columns”" }).click();
  await complete(page);
  const both = page.getByRole("table", { name: "Both programs" });
  await says(both, /columns ÷ rows1×512×512×296×/);
  // Both have the same share of the program, here the same access.
  const slider = page
    .getByTestId("timeline 0")
    .getByRole("slider", { name: /Access/ });
  const cursors = page.locator(".code-cursor");
  await slider.click({ position: { x: 60, y: 20 } });
  await expect
    .poll(() => cursors.nth(0).textContent())
    .not.toMatch(/2,097,152/);
  const words = (await cursors.nth(0).textContent()) ?? "";
  const [access = ""] = /^access [\d,]+: /.exec(words) ?? [];
  expect(words).toContain(`${access}line 8 loads m[`);
  await says(cursors.nth(1), `${access}line 9 loads m[`);
  const hash = await hashWith(page, "code2=");
  const other = await visit(`?test${hash}`);
  await other.page.getByRole("table", { name: "Both programs" }).waitFor();
  const { programs } = (await state(other.page, "codeScreen")) ?? {};
  expect(programs?.map(({ name, code }) => [name, code])).toEqual(
    SCRIPT_EXAMPLES.filter(({ id }) => /^(rows|columns)$/.test(id)).map(
      ({ name, code }) => [name, code],
    ),
  );
  await looksWell(page);
  await page.getByRole("button", { name: "End the comparison" }).click();
  await page.getByRole("table", { name: "Numbers of the run" }).waitFor();
});

test("data_that_does_not_fit_the_machine_is_said_first_with_the_way_back", async () => {
  const { page, problems } = await open();
  await complete(page);
  await page.evaluate(() =>
    window.__pagewalk?.actions.chooseCpu("csapp-14bit"),
  );
  await says(
    page.locator(".code-see"),
    "All 4,194,304 accesses ended with an exception: the data takes 32.0 MiB from 0x10000000 on, and the address space of CS:APP 14-bit has 16.0 KiB (14 bits).",
  );
  const numbers = page.getByRole("table", { name: "Numbers of the run" });
  await says(numbers, "rows4,194,304––––");
  await page.getByRole("button", { name: "Run on Skylake-SP" }).click();
  await says(page.locator(".code-see"), "8,192 walks for 4,194,304 reads");
  await says(numbers, "374,376");
  expect(problems).toEqual([]);
});

test("what_ends_a_program_is_told_with_its_line", async () => {
  const { page } = await open();
  await complete(page);
  expect(await problem(page, "const a = array(4);\n\nload(a, 4);")).toBe(
    "3: a[4] does not exist: a has 4 elements, 0 to 3.",
  );
  expect(await problem(page, "load(1);\nthrow new Error('mine')")).toBe(
    "2: mine.",
  );
  expect(await problem(page, "load(1);\nnothing.here = 1;")).toBe(
    "2: ReferenceError: nothing is not defined.",
  );
  expect(await problem(page, "load(1);\nfor (;;\nload(2);")).toMatch(
    /^3: This is not valid JavaScript: /,
  );
  expect(await problem(page, "load(1);\nfor (;;")).toMatch(
    /^2: This is not valid JavaScript: the code ends too early/,
  );
  expect(await problem(page, "const a = array(4);")).toMatch(
    /^–: The program made no access/,
  );
  expect(await problem(page, "load(1);\nthrow Object.create(null)")).toBe(
    "–: it threw an object that has no text.",
  );
  expect(
    await problem(page, "load(1);\nthrow { get stack() { throw 1 } }"),
  ).toMatch(/^–: The program failed, and its error cannot be read/);
  const f = "const f = (n) => f(n + 1);\nf(0);";
  expect(await problem(page, f)).toMatch(/^1: RangeError: Maximum call stack/);
  const many =
    "const a = array(8);\nfor (let i = 0; i < 1e9; i++)\n  load(a, i % 8);";
  expect(await problem(page, many)).toBe(
    "3: Stopped at 20,000,000 accesses, the limit for a program: use fewer rounds.",
  );
  // The line with the error is highlighted in the editor, and the sentence stands below it.
  await says(page.locator(".cm-wrong"), "load(a, i");
  await says(page.locator(".cm-wrong + .cm-problem"), "Line 3. Stopped at");
  await says(page.locator(".code-note"), "This is the last run that ended.");
  expect(await problem(page, "load(1);\nfor (;;) {}")).toMatch(
    /^2: Stopped after 10 seconds, with few accesses or none: this loop never/,
  );
  // The previous trace is still open, and the next program runs.
  expect((await state(page, "trace"))?.import.format).toBe("lackey");
  expect((await run(page, "load(1)")).run).toBeUndefined();
  await page.locator(".cm-problem").waitFor({ state: "detached" });
});

const ATTEMPTS = [
  "fetch('/secret')",
  "new XMLHttpRequest()",
  "new WebSocket('ws://localhost:1')",
  "new EventSource('/secret')",
  "importScripts('/secret.js')",
  "new Worker('data:text/javascript,1')",
  "new SharedWorker('/secret.js')",
  "indexedDB.open('pagewalk')",
  "caches.open('x')",
  "navigator.sendBeacon('/secret', '1')",
  "postMessage('x')",
  "self.postMessage('x')",
  "globalThis.fetch('/secret')",
  "location.href = '/secret'",
  "document.cookie",
  "localStorage.length",
  "parent.document",
  "new BroadcastChannel('x')",
  "setTimeout(() => 1)",
  "(() => {}).constructor('return fetch')()('/secret')",
  "(0, eval)('fetch')('/secret')",
  "new (Object.getPrototypeOf(async () => {}).constructor)('fetch()').call; fetch()",
  "Object.getPrototypeOf(globalThis).fetch.call(globalThis, '/secret')",
  "Reflect.get(Object.getPrototypeOf(Object.getPrototypeOf(globalThis)), 'fetch')('/secret')",
  "delete globalThis.fetch; fetch('/secret')",
  "fetch = 1",
  "import('/secret.js')",
];

test("the_page_and_the_network_are_out_of_reach", async () => {
  const { page } = await open();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const said: string[] = [];
  for (const attempt of ATTEMPTS)
    said.push(`${attempt} → ${await problem(page, `load(1);\n${attempt};`)}`);
  expect(said.filter((text) => !/ → 2: /.test(text))).toEqual([]);
  // The platform's names are missing in a program, and the language's own imports are not allowed.
  const plain = said.filter(
    (text) => !/exist in a program|A program cannot use/.test(text),
  );
  expect(plain.map((text) => text.split(" → ")[0])).toEqual([
    // The frame has removed the property, so these attempts find nothing to read or to delete.
    expect.stringContaining("Object.getPrototypeOf(globalThis).fetch"),
    expect.stringContaining("Reflect.get"),
    expect.stringContaining("delete"),
  ]);
  const out = asked.filter((url) => /secret/.test(url));
  expect(out).toEqual([]);
});

test("what_comes_out_of_the_sandbox_is_not_trusted", async () => {
  const { page } = await open();
  const lies = [
    // The page must accept any name of an array, and any other value.
    "load(1); Object.prototype.toJSON = () => 1; Array.prototype.map = () => ({ x: 1 });",
    "load(1); Array.prototype.map = () => [{ name: 1, start: -1, length: 1e300, size: 1 }];",
  ];
  for (const lie of lies) {
    const { run: ended } = await run(page, lie);
    expect(["failed", undefined]).toContain(ended?.status);
  }
  expect((await run(page, "load(1)")).run).toBeUndefined();
});

test("a_link_holds_the_code_and_does_not_run_it", async () => {
  const { page } = await open();
  const code = "// a link\nconst a = array(512);\nload(a, 3);\n";
  await page.evaluate(
    (code) =>
      window.__pagewalk?.actions.editProgram(0, { code, name: "shared" }),
    code,
  );
  const hash = await hashWith(page, "program=shared&code=");
  const other = await visit(`?test${hash}`);
  await other.page.getByTestId("code").waitFor();
  await ready(other.page);
  await other.page.waitForFunction(
    () =>
      window.__pagewalk?.store.getState().codeScreen?.programs[0].name ===
      "shared",
  );
  const program = await programOf(other.page);
  expect(program).toMatchObject({ name: "shared", code, waits: "reader" });
  expect(program.shown).toBeUndefined();
  await other.page.getByRole("button", { name: "Run it" }).click();
  await complete(other.page);
  expect(other.problems).toEqual([]);
  // The browser that wrote the code shows it again without a link.
  await reopen(page, "?test#screen=code");
  await says(page.locator(".cm-content"), "// a link");
});

test("the_editor_is_used_by_keys_and_tab_leaves_it", async () => {
  const { page } = await open();
  const editor = page.getByRole("textbox", { name: "Code of the program" });
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("const a = array(64);\nload(a, 7);");
  await page.keyboard.press("ControlOrMeta+Enter");
  const n = async () => (await programOf(page)).shown?.trace.n_accesses;
  await expect.poll(n).toBe(1);
  await editor.focus();
  await page.keyboard.press("Tab");
  expect(
    await page.evaluate(() => document.activeElement?.closest(".cm-editor")),
  ).toBeNull();
});

test("axe_finds_nothing_serious_on_the_screen_of_programs", async () => {
  const sizes = SIZES.filter(({ width }) => width !== 1024);
  const { page } = await open();
  await complete(page);
  await looksWell(page, sizes);
  await page.getByText("Functions of a program").click();
  expect(await problem(page, "load(array(2), 3)")).toContain("1: ");
  await looksWell(page, sizes);
  expect((await run(page, "load(array(2), 1)")).run).toBeUndefined();
  await complete(page);
  await looksWell(page, sizes);
});

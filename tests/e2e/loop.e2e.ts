import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { hashWith, ready, says, state, step } from "./app";
import { looksWell, reopen, SIZES, useBrowser } from "./browser";

const visit = useBrowser();

async function open(options = {}) {
  const there = await visit("?test#screen=loop", options);
  await there.page.getByTestId("loop").waitFor();
  await ready(there.page);
  return there;
}

/** Puts code into the editor, as a paste does, and runs it. */
async function run(page: Page, code: string) {
  await page.evaluate((code) => {
    window.__pagewalk?.actions.editLoop({ code });
    void window.__pagewalk?.actions.runLoop();
  }, code);
  await page.waitForFunction(
    () => window.__pagewalk?.store.getState().loop?.run?.status !== "running",
  );
  return state(page, "loop").then((loop) => loop?.run);
}

/** Runs code, and returns the message of its failure. */
async function problem(page: Page, code: string) {
  const ended = await run(page, code);
  if (ended?.status !== "failed") return ended?.status ?? "nothing";
  const { line, message } = ended.problem;
  return `${line ?? "–"}: ${message}`;
}

test("a_loop_is_a_trace_as_any_other_with_its_arrays_and_lines", async () => {
  const { page, problems } = await open();
  await page.getByLabel("Example").selectOption("rows");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("link", { name: "Open in replay" }).waitFor();
  await ready(page);
  const trace = await state(page, "trace");
  expect(trace).toMatchObject({
    name: "rows",
    n_accesses: 1024 * 1024,
    import: { format: "loop", completeness: "complete" },
  });
  // A page of 512 numbers has one walk.
  const report = await state(page, "report");
  expect(report?.walks.walks).toBe(2048);
  const rows = page.getByRole("table", { name: "Misses by regions" });
  await rows.getByRole("button", { name: /^m / }).waitFor();
  await page.getByRole("radio", { name: "instruction" }).click();
  await page
    .getByRole("table", { name: "Misses by instructions" })
    .getByRole("button", { name: /^line 8/ })
    .waitFor();

  await page.getByRole("link", { name: "Open in replay" }).click();
  await page.getByTestId("access").waitFor();
  await ready(page);
  expect((await step(page)).access.kind).toBe("load");
  await expect.poll(() => state(page, "kept")).toHaveLength(1);
  expect(problems).toEqual([]);
});

test("what_ends_a_loop_is_told_with_its_line", async () => {
  const { page } = await open();
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
    /^–: The loop made no access/,
  );
  expect(await problem(page, "load(1);\nthrow Object.create(null)")).toBe(
    "–: it threw an object that has no text.",
  );
  expect(
    await problem(page, "load(1);\nthrow { get stack() { throw 1 } }"),
  ).toMatch(/^–: The loop failed, and its error cannot be read/);
  const f = "const f = (n) => f(n + 1);\nf(0);";
  expect(await problem(page, f)).toMatch(/^1: RangeError: Maximum call stack/);
  const many =
    "const a = array(8);\nfor (let i = 0; i < 1e9; i++)\n  load(a, i % 8);";
  expect(await problem(page, many)).toBe(
    "3: Stopped at 20,000,000 accesses, the limit for a loop: use fewer rounds.",
  );
  // The line with the error is highlighted in the editor.
  await says(page.locator(".cm-wrong"), "load(a, i");
  expect(await problem(page, "load(1);\nfor (;;) {}")).toMatch(
    /^2: Stopped after 10 seconds, with few accesses or none: this loop never/,
  );
  // The previous trace is still open, and the next loop runs.
  expect((await state(page, "trace"))?.import.format).toBe("lackey");
  expect((await run(page, "load(1)"))?.status).toBe("done");
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
  // The platform's names are missing in a loop, and the language's own imports are not allowed.
  const plain = said.filter(
    (text) => !/exist in a loop|A loop cannot use/.test(text),
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
    const ended = await run(page, lie);
    expect(["failed", "done"]).toContain(ended?.status);
  }
  expect((await run(page, "load(1)"))?.status).toBe("done");
});

test("a_link_holds_the_code_and_does_not_run_it", async () => {
  const { page } = await open();
  const code = "// a link\nconst a = array(512);\nload(a, 3);\n";
  await page.evaluate(
    (code) => window.__pagewalk?.actions.editLoop({ code, name: "shared" }),
    code,
  );
  const hash = await hashWith(page, "loop=shared&code=");
  const other = await visit(`?test${hash}`);
  await other.page.getByTestId("loop").waitFor();
  await ready(other.page);
  await other.page.waitForFunction(
    () => window.__pagewalk?.store.getState().loop?.name === "shared",
  );
  const loop = await state(other.page, "loop");
  expect(loop).toMatchObject({ name: "shared", code });
  expect(loop?.run).toBeUndefined();
  expect(other.problems).toEqual([]);
  // The browser that wrote the code shows it again without a link.
  await reopen(page, "?test#screen=loop");
  await says(page.locator(".cm-content"), "// a link");
});

test("the_editor_is_used_by_keys_and_tab_leaves_it", async () => {
  const { page } = await open();
  const editor = page.getByRole("textbox", { name: "Code of the loop" });
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("const a = array(64);\nload(a, 7);");
  const before = await state(page, "cursor");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.getByRole("link", { name: "Open in replay" }).waitFor();
  const n = async () => (await state(page, "trace"))?.n_accesses;
  await expect.poll(n).toBe(1);
  expect(before).toBeGreaterThan(0);
  await editor.focus();
  await page.keyboard.press("Tab");
  expect(
    await page.evaluate(() => document.activeElement?.closest(".cm-editor")),
  ).toBeNull();
});

test("axe_finds_nothing_serious_on_the_screen_of_loops", async () => {
  const sizes = SIZES.filter(({ width }) => width !== 1024);
  const { page } = await open();
  await looksWell(page, sizes);
  await page.getByText("Functions of a loop").click();
  expect(await problem(page, "load(array(2), 3)")).toContain("1: ");
  await looksWell(page, sizes);
  await page.getByLabel("Example").selectOption("ring");
  expect((await run(page, "load(array(2), 1)"))?.status).toBe("done");
  await page.getByRole("table").waitFor();
  await looksWell(page, sizes);
});

/** The compiler of C and C++ in the browser, and the programs that it makes. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { dist } from "../../scripts/lib/paths.mjs";
import { serve } from "../../scripts/lib/server.mjs";
import type { Language, ProgramStep } from "../../src/model/code/program";
import { ready } from "./app";
import { useBrowser } from "./browser";

const visit = useBrowser();

const HELLO = `#include <stdio.h>
#include <stdlib.h>
static int sums[8];
int main(int n, char **words) {
  int *table = malloc(4000);
  for (int i = 0; i < 1000; i++) table[i] = i;
  for (int i = 0; i < 1000; i++) sums[i % 8] += table[i];
  printf("%s %d\\n", words[1], sums[3]);
  return 3;
}`;

/** Stores 5, and then counts without an access, for ever. */
const ENDLESS = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7,
  10, 1, 6, 95, 115, 116, 97, 114, 116, 0, 0, 10, 16, 1, 14, 0, 65, 8, 65, 5,
  54, 2, 0, 3, 64, 12, 0, 11, 11,
]);

/** Its function `sum` stores 5, and divides by zero. */
const TRAP = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 3, 2, 0, 0, 5, 3, 1, 0, 1,
  7, 10, 1, 6, 95, 115, 116, 97, 114, 116, 0, 0, 10, 22, 2, 4, 0, 16, 1, 11, 15,
  0, 65, 8, 65, 5, 54, 2, 0, 65, 1, 65, 0, 109, 26, 11, 0, 13, 4, 110, 97, 109,
  101, 1, 6, 1, 1, 3, 115, 117, 109,
]);

/** The lines that print come before a loop without end: first without accesses, then with them. */
const LATE = `#include <stdio.h>
static volatile int sums[8];
int main(int n, char **words) {
  for (int i = 0; i < 1000; i++) sums[i % 8] += i;
  printf("ready %d\\n", sums[3]);
  if (n > 1) for (;;) sums[0]++;
  for (;;) {}
}`;

/** Runs a program, and returns what came of it. */
function outcome(
  page: Page,
  code: { text: string; language?: Language } | { wasm: readonly number[] },
  args: readonly string[] = [],
) {
  return page.evaluate(
    async ([code, args]) => {
      const app = window.__pagewalk;
      if (!app) throw new Error("The address lacks ?test.");
      const programs = await app.programs();
      const made = await programs.run(
        "text" in code
          ? { source: { language: "c", level: "1", ...code } }
          : { wasm: Uint8Array.from(code.wasm), name: "loop.wasm" },
        args,
        { signal: AbortSignal.timeout(300_000), onStep: () => undefined },
      );
      if (!made) throw new Error("It was aborted.");
      if ("stage" in made) return { problem: made.message };
      const { accesses, output, trap } = made.result;
      return { accesses, output, trap, bytes: made.file().size };
    },
    [code, args] as const,
  );
}

/** Compiles and runs a text, and imports its trace as the current one. */
function run(page: Page, text: string, seconds = 20) {
  return page.evaluate(
    async ([text, seconds]) => {
      const app = window.__pagewalk;
      if (!app) throw new Error("The address lacks ?test.");
      const programs = await app.programs();
      const before = await programs.compiler();
      const steps: ProgramStep[] = [];
      const signal = AbortSignal.timeout(seconds * 1000);
      const made = await programs.run(
        { source: { text, language: "c", level: "1" } },
        ["word"],
        { signal, onStep: (step) => steps.push(step) },
      );
      if (!made || "stage" in made)
        throw new Error(made?.message ?? "It was aborted.");
      const { accesses, output, status } = made.result;
      await app.actions.importFile({ file: made.file(), name: "hello.c" });
      return { before, steps, made: { accesses, output, status } };
    },
    [text, seconds] as const,
  );
}

test("c_is_loaded_compiled_run_and_shown_and_then_works_offline", async () => {
  const server = await serve(dist, { port: 4500, prefix: "/deep/path/" });
  try {
    const there = await visit("?test", {
      site: server.url,
      serviceWorkers: "allow",
    });
    const { page, requests } = there;
    await ready(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    expect(requests.filter((url) => url.includes(".pack"))).toEqual([]);

    const first = await run(page, HELLO, 300);
    expect(first.before.isKept).toBe(false);
    expect(first.before.bytes).toBeLessThan(27_000_000);
    expect(first.made).toMatchObject({ output: "word 62375\n", status: 3 });
    const loading = first.steps.filter(({ what }) => what === "loading");
    expect(loading.length).toBeGreaterThan(3);
    expect(loading.at(-1)).toMatchObject({ done: first.before.bytes });
    await ready(page);
    const trace = await page.evaluate(
      () => window.__pagewalk?.store.getState().trace,
    );
    expect(trace?.n_accesses).toBe(first.made.accesses);

    await server.close();
    await page.context().setOffline(true);
    await page.reload();
    await ready(page);
    const second = await run(page, HELLO, 300);
    expect(second.before.isKept).toBe(true);
    expect(second.made).toEqual(first.made);
  } finally {
    await server.close().catch(() => undefined);
  }
});

test("a_program_without_end_is_stopped_and_keeps_what_it_did", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const endless = await outcome(page, { wasm: [...ENDLESS] });
  expect(endless).toEqual({
    problem: "Stopped after 20 seconds: does it ever end?",
  });
  const silent = await outcome(page, { text: LATE });
  expect(silent.output).toBe("ready 62375\n");
  expect(silent.accesses).toBeGreaterThan(2000);
  expect(silent.trap?.message).toContain("Stopped after 20 seconds");
  const many = await outcome(page, { text: LATE }, ["more"]);
  expect(many.output).toBe("ready 62375\n");
  expect(many.accesses).toBeGreaterThanOrEqual(50_000_000);
  expect(many.trap?.message).toContain("Stopped at 50,000,000 accesses");
});

test("a_trap_in_a_dropped_module_names_its_function", async () => {
  const { page } = await visit("?test");
  await ready(page);
  // Its one access belongs to a record that the trap leaves unfinished.
  expect(await outcome(page, { wasm: [...TRAP] })).toEqual({
    problem: "The program stopped in sum: it divided by zero.",
  });
});

test("streams_of_c++_compile_within_the_limit", async () => {
  const { page } = await visit("?test");
  await ready(page);
  const text =
    "#include <iostream>\nint main() { std::cout << 42 << std::endl; }";
  expect(await outcome(page, { text, language: "c++" })).toMatchObject({
    output: "42\n",
  });
});

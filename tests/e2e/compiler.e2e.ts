/** The compiler of C and C++ in the browser, and the programs that it makes. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { dist } from "../../scripts/lib/paths.mjs";
import { serve } from "../../scripts/lib/server.mjs";
import type { ProgramStep } from "../../src/model/code/program";
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
      await app.actions.importFile({ file: made.file, name: "hello.c" });
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

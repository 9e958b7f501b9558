/** Programs that call libraries, compiled, run and simulated: whose lines and whose blocks the accesses are. */
import { runLLVM } from "@yowasp/clang";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Language, Level } from "../../../src/model/code/program";
import { wasmEngine } from "../../engine/wasm";
import { runExample } from "./runProgramExample";

const engine = wasmEngine();
beforeAll(async () => {
  await runLLVM(undefined, {}, { fetchProgress: () => undefined });
});
afterAll(() => engine.dispose());

const run = (code: string, language: Language, level: Level = "1") =>
  runExample(engine, { code, build: { language, level, args: "" } });

test("walks_of_malloc_count_for_the_line_that_calls_it", async () => {
  const { table, attribution } = await run(
    `#include <stdlib.h>
struct node { struct node *next; char rest[4084]; };
int main(void) {
  struct node *all = 0;
  for (int i = 0; i < 500; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = all;
    all = n;
  }
  return all == 0;
}`,
    "c",
  );
  const line = table.lines.find(({ line }) => line === 6);
  expect(line?.called?.[0]).toMatchObject({
    name: "malloc, called in line 6",
    what: "malloc",
  });
  expect(line?.counts.walks).toBeGreaterThan(490);
  expect(table.elsewhere).toBeLessThan(10);
  const names = attribution.calls.nodes.map(({ name }) => name);
  expect(names).toContain("the program");
});

const VECTORS = `#include <vector>
#include <cstdio>
int main() {
  std::vector<double> v(1 << 14);
  std::vector<int> w;
  for (int i = 0; i < 40000; i++)
    w.push_back(i);
  int *p = new int[20000];
  double sum = 0;
  for (double x : v) sum += x;
  for (int i = 0; i < 20000; i++) p[i] = w[i];
  std::printf("%g", sum + p[7]);
  delete[] p;
}`;

test.each<Level>(["0", "1", "2"])(
  "blocks_of_containers_are_named_by_their_line_at_O%s",
  async (level) => {
    const { attribution, output } = await run(VECTORS, "c++", level);
    expect(output).toBe("7");
    const names = attribution.objects.rows.map(({ name }) => name);
    expect(names).toContain("v (vector, line 4)");
    expect(names).toContain("w (vector, line 7)");
    expect(names).toContain("p (new, line 8)");
  },
);

test("an_own_function_that_a_library_calls_back_counts_for_its_own_line", async () => {
  const { table } = await run(
    `#include <stdlib.h>
static int all[4096];
static int less(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  for (int i = 0; i < 4096; i++) all[i] = i * 7919 % 4096;
  qsort(all, 4096, sizeof *all, less);
  return all[0];
}`,
    "c",
  );
  const at = (line: number) => table.lines.find((each) => each.line === line);
  expect(at(4)?.counts.accesses).toBeGreaterThan(40_000);
  expect(at(4)?.called).toBeUndefined();
  expect(at(8)?.called?.[0]?.what).toBe("qsort");
});

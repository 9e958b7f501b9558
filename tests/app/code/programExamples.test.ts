/** The examples are compiled, run and simulated: what their sentences say is what is counted. */
import { runLLVM } from "@yowasp/clang";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LineQuantity } from "../../../src/model/code/lines";
import {
  PROGRAM_EXAMPLES,
  PROGRAM_PAIRS,
} from "../../../src/model/code/programExamples";
import { totalsOf } from "../../../src/model/compare/totals";
import { wasmEngine } from "../../engine/wasm";
import { runExample } from "./runProgramExample";
import type { ExampleRun } from "./runProgramExample";

const engine = wasmEngine();
const runs = new Map<string, ExampleRun>();

function exampleOf(id: string) {
  const example = PROGRAM_EXAMPLES.find((each) => each.id === id);
  if (!example) throw new Error(`There is no example ${id}.`);
  return example;
}

/** One session simulates all, one after the other. */
async function runOf(id: string): Promise<ExampleRun> {
  const before = runs.get(id);
  if (before) return before;
  const run = await runExample(engine, exampleOf(id));
  runs.set(id, run);
  return run;
}

beforeAll(async () => {
  await runLLVM(undefined, {}, { fetchProgress: () => undefined });
});
afterAll(() => engine.dispose());

/** The counts of the lines whose code holds a text. */
async function at(
  id: string,
  text: string,
  what: LineQuantity,
): Promise<number> {
  const { table } = await runOf(id);
  const code = exampleOf(id).code.split("\n");
  const lines = table.lines.filter(({ line }) =>
    code[line - 1]?.includes(text),
  );
  if (lines.length === 0) throw new Error(`No line with ${text} has counts.`);
  return lines.reduce((sum, { counts }) => sum + counts[what], 0);
}

async function all(id: string, what: "walks" | "l1Misses" | "accesses") {
  return totalsOf((await runOf(id)).report)[what];
}

test.each(PROGRAM_EXAMPLES)(
  "$id prints, and is short",
  async ({ id, code }) => {
    const n = code.trim().split("\n").length;
    expect(n).toBeGreaterThanOrEqual(20);
    expect(n).toBeLessThanOrEqual(80);
    const { output } = await runOf(id);
    expect(output).not.toBe("");
    expect(await all(id, "accesses")).toBeLessThan(3_500_000);
  },
);

test("both programs of a pair print the same result", async () => {
  const result = (text: string) => text.replace(/^.*: /, "");
  for (const { programs } of PROGRAM_PAIRS) {
    const [one, other] = programs;
    const second = result((await runOf(other.id)).output);
    expect(result((await runOf(one.id)).output)).toBe(second);
  }
});

test("by columns, nearly each access of the sum walks; by rows, one of 512", async () => {
  const sum = "s += m[i][j]";
  const n = 2048 * 512;
  expect(await at("c-columns", sum, "walks")).toBeGreaterThan(0.99 * n);
  expect(await at("c-rows", sum, "walks")).toBeLessThan(1.01 * (n / 512));
});

test("tiles leave less than a fifth of the misses", async () => {
  const copy = "b[j][i] = a[i][j]";
  const untiled = await at("c-untiled", copy, "misses");
  expect(untiled).toBeGreaterThan(0.95 * 512 * 512);
  expect(await at("c-tiles", copy, "misses")).toBeLessThan(untiled / 5);
});

test("a list in random order walks for more than half of its nodes", async () => {
  const sum = "sum += at->value";
  const n = 2 * 120_000;
  const list = await at("c-list", sum, "walks");
  expect(list).toBeLessThan(1.05 * (n / 32));
  const shuffled = await at("c-shuffled", sum, "walks");
  expect(shuffled).toBeGreaterThan(n / 2);
  expect(shuffled).toBeGreaterThan(10 * list);
});

test("a sort-merge join has more accesses and fewer misses", async () => {
  const accesses = await all("c-hashjoin", "accesses");
  expect(await all("c-mergejoin", "accesses")).toBeGreaterThan(3 * accesses);
  const misses = await all("c-hashjoin", "l1Misses");
  expect(await all("c-mergejoin", "l1Misses")).toBeLessThan(misses / 2);
  const probe =
    (await at("c-hashjoin", "heads[hash(", "misses")) +
    (await at("c-hashjoin", "pairs +=", "misses"));
  expect(probe).toBeGreaterThan(misses / 2);
});

test("nodes of a page save more than half of the walks", async () => {
  const btree =
    (await at("c-btree", "node->key[", "walks")) +
    (await at("c-btree", "high = node->n", "walks"));
  const tree =
    (await at("c-tree", "node->key != key", "walks")) +
    (await at("c-tree", "key < node->key", "walks"));
  expect(btree).toBeLessThan(tree / 2);
});

test("a struct of arrays has an eighth of the misses", async () => {
  const structs = await at("c-structs", "sum +=", "misses");
  const arrays = await at("c-arrays", "sum +=", "misses");
  expect(structs / arrays).toBeGreaterThan(7.5);
  expect(structs / arrays).toBeLessThan(8.5);
});

test("an arena leaves less than a tenth of the misses", async () => {
  const sum = "sum += at->value";
  const many = await at("c-malloc", sum, "misses");
  expect(many).toBeGreaterThan(0.95 * 100_000);
  expect(await at("c-arena", sum, "misses")).toBeLessThan(many / 10);
});

test("a stride of 16 pages misses each time, and one of 17 does not", async () => {
  const load = "sum += ((volatile";
  expect(await at("c-stride", load, "misses")).toBe(160_000);
  expect(await at("c-spread", load, "misses")).toBeLessThanOrEqual(8);
});

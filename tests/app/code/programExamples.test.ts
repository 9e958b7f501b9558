/** The examples are compiled, run and simulated: what their sentences say is what is counted. */
import { commands } from "@yowasp/clang";
import { afterAll, beforeAll, expect, test } from "vitest";
import { totalsOf } from "../../../src/model/compare/totals";
import {
  PROGRAM_EXAMPLES,
  PROGRAM_PAIRS,
} from "../../../src/model/code/programExamples";
import { wasmEngine } from "../../engine/wasm";
import { runExample } from "./runProgramExample";
import type { ExampleRun } from "./runProgramExample";

const engine = wasmEngine();
const runs = new Map<string, Promise<ExampleRun>>();

beforeAll(async () => {
  await commands.clang(undefined, {}, { fetchProgress: () => undefined });
});
afterAll(() => engine.dispose());

function runOf(id: string): Promise<ExampleRun> {
  const example = PROGRAM_EXAMPLES.find((each) => each.id === id);
  if (!example) throw new Error(`There is no example ${id}.`);
  const run = runs.get(id) ?? runExample(engine, example);
  runs.set(id, run);
  return run;
}

/** The most counts that a line of the program has. */
async function most(id: string, what: "walks" | "misses"): Promise<number> {
  const { table } = await runOf(id);
  return Math.max(...table.lines.map(({ counts }) => counts[what]));
}

async function all(id: string, what: "walks" | "l1Misses" | "accesses") {
  return totalsOf((await runOf(id)).report)[what];
}

const LONG = 120_000;

test.each(PROGRAM_EXAMPLES.map(({ id }) => id))(
  "%s_prints_and_is_short",
  async (id) => {
    const { code } = PROGRAM_EXAMPLES.find((each) => each.id === id) ?? {};
    const n = code?.trim().split("\n").length ?? 0;
    expect(n).toBeGreaterThanOrEqual(20);
    expect(n).toBeLessThanOrEqual(80);
    expect((await runOf(id)).output).not.toBe("");
  },
  LONG,
);

test(
  "both_programs_of_a_pair_print_the_same_result",
  async () => {
    for (const { programs } of PROGRAM_PAIRS) {
      const [one, other] = await Promise.all(
        programs.map(async ({ id }) => (await runOf(id)).output),
      );
      const result = (text = "") => text.replace(/^.*: /, "");
      expect(result(other)).toBe(result(one));
    }
  },
  LONG,
);

test(
  "columns_walk_hundreds_of_times_as_often_as_rows",
  async () => {
    const rows = await most("c-rows", "walks");
    expect(await most("c-columns", "walks")).toBeGreaterThan(200 * rows);
  },
  LONG,
);

test(
  "tiles_leave_less_than_a_fifth_of_the_misses",
  async () => {
    const untiled = await most("c-untiled", "misses");
    expect(await most("c-tiles", "misses")).toBeLessThan(untiled / 5);
  },
  LONG,
);

test(
  "a_list_in_random_order_walks_ten_times_as_often",
  async () => {
    const list = await most("c-list", "walks");
    expect(await most("c-shuffled", "walks")).toBeGreaterThan(10 * list);
  },
  LONG,
);

test(
  "a_sort_merge_join_has_more_accesses_and_fewer_walks",
  async () => {
    const accesses = await all("c-hashjoin", "accesses");
    expect(await all("c-mergejoin", "accesses")).toBeGreaterThan(3 * accesses);
    const walks = await all("c-hashjoin", "walks");
    expect(await all("c-mergejoin", "walks")).toBeLessThan(walks / 2);
  },
  LONG,
);

test(
  "nodes_of_a_page_save_more_than_half_of_the_walks",
  async () => {
    const tree = await most("c-tree", "walks");
    expect(await most("c-btree", "walks")).toBeLessThan(tree / 2);
  },
  LONG,
);

test(
  "a_struct_of_arrays_has_an_eighth_of_the_misses",
  async () => {
    const ratio =
      (await most("c-structs", "misses")) / (await most("c-arrays", "misses"));
    expect(ratio).toBeGreaterThan(7.5);
    expect(ratio).toBeLessThan(8.5);
  },
  LONG,
);

test(
  "an_arena_leaves_less_than_a_tenth_of_the_walks",
  async () => {
    const many = await most("c-malloc", "walks");
    expect(await most("c-arena", "walks")).toBeLessThan(many / 10);
  },
  LONG,
);

test(
  "a_stride_of_16_pages_misses_each_time_and_one_of_17_does_not",
  async () => {
    expect(await most("c-stride", "misses")).toBeGreaterThanOrEqual(159_000);
    expect(await most("c-spread", "misses")).toBeLessThanOrEqual(16);
  },
  LONG,
);

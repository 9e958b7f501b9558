/** The examples run in the real worker script and on the real simulator: what their texts say is what it counts. */
import { afterAll, expect, test } from "vitest";
import {
  SCRIPT_EXAMPLES,
  SCRIPT_PAIRS,
} from "../../../src/model/code/scriptExamples";
import { totalsOf } from "../../../src/model/compare/totals";
import { count } from "../../../src/model/shared/format";
import { wasmEngine } from "../../engine/wasm";
import { reportOf } from "./runScriptExample";

const engine = wasmEngine();
afterAll(() => engine.dispose());

const codeOf = (id: string): string =>
  SCRIPT_EXAMPLES.find((example) => example.id === id)?.code ?? id;

/** `accesses · L1 misses · walks` of each example, then of what its text says to change. */
const CASES: readonly [
  id: string,
  expected: string,
  from?: string,
  to?: string,
][] = [
  ["rows", "4,194,304 · 8,192 · 8,192"],
  ["rows", "1,048,576 · 2,048 · 2,048", "n = 2048", "n = 1024"],
  ["columns", "4,194,304 · 4,194,304 · 4,193,792"],
  ["columns", "1,048,576 · 1,048,576 · 2,176", "n = 2048", "n = 1024"],
  ["tiles", "2,097,152 · 157,952 · 4,203"],
  ["untiled", "2,097,152 · 1,050,624 · 4,248"],
  ["sequential", "500,000 · 977 · 977"],
  ["random", "500,000 · 492,163 · 312,878"],
  ["list", "200,000 · 159,720 · 313"],
  ["stride", "40,960 · 40,960 · 40,448"],
  ["stride", "2,621,440 · 40,960 · 40,448", "stride = 4096", "stride = 64"],
  ["conflict", "80,000 · 80,000 · 8"],
  ["conflict", "80,000 · 8 · 8", "stride = 16 * 4096", "stride = 4096"],
  ["join", "2,400,000 · 1,188,119 · 400,565"],
  ["ring", "599,000 · 4,688 · 512"],
  ["structs", "500,000 · 7,815 · 2,346"],
  ["arrays", "500,000 · 980 · 196"],
];

type Case = (typeof CASES)[number];

test.each(CASES)("%s: %s %s %s", async (...given: Case) => {
  const [id, expected, from = "", to = ""] = given;
  const code = codeOf(id);
  expect(code).toContain(from);
  const { accesses, l1Misses, walks } = totalsOf(
    await reportOf(engine, code.replace(from, to)),
  );
  expect([accesses, l1Misses, walks].map(count).join(" · ")).toBe(expected);
});

test("with_pages_of_2M_random_reads_have_the_walks_that_their_text_says", async () => {
  const { walks } = totalsOf(await reportOf(engine, codeOf("random"), "2M"));
  expect(`${walks} walks.`).toBe("8 walks.");
  const example = SCRIPT_EXAMPLES.find(({ id }) => id === "random");
  expect(example?.see).toContain("pages of 2M in the header: 8 walks.");
});

/** Numbers of the machine and of the code: entries, ways, pages, elements of a page. */
const KNOWN = "16 64 512 1,024 1,536 2,048 4,096 100,000".split(" ");

test.each(
  [...SCRIPT_EXAMPLES, ...SCRIPT_PAIRS].map(({ id, see }) => [id, see]),
)("the_numbers_that_%s_names_are_counted_above", (_id, see = "") => {
  const counted = CASES.flatMap(([, expected]) => expected.split(" · "));
  // A setting such as `n = 1024` is no count.
  const numbers = see.replaceAll(/= \d+/g, "").match(/\d[\d,]*\d/g) ?? [];
  const isUnknown = (number: string) =>
    ![...counted, ...KNOWN].includes(number);
  expect(numbers.filter(isUnknown)).toEqual([]);
  expect(numbers.length).toBeGreaterThan(1);
});

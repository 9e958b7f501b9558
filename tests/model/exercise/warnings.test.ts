/** Questions of a draft that students cannot answer, and how answers of a class spread. */
import { expect, test } from "vitest";
import type { Ask } from "../../../src/engine/generated/Ask";
import type { StructureView } from "../../../src/engine/generated/StructureView";
import { draftProblem } from "../../../src/model/exercise/draft";
import type { Draft } from "../../../src/model/exercise/draft";
import { askKey } from "../../../src/model/exercise/kinds";
import { spreadOf } from "../../../src/model/exercise/spread";
import { draftWarnings } from "../../../src/model/exercise/warnings";

const draft = (ask: Ask, part: Partial<Draft> = {}): Draft => ({
  title: "Sets",
  asks: [ask],
  where: "this",
  n: 1,
  hints: true,
  attempts: undefined,
  choices: undefined,
  locked: [],
  ...part,
});

const WALKS: Ask = { kind: "number", of: "walks" };
const VICTIM: Ask = { kind: "victim", of: "TLB" };
// The code under test uses only these fields.
const TLB = { name: "TLB", replacement: "random" } as StructureView;
const HAND =
  "“How many so far: walks” cannot be counted by hand: students see the last 64 accesses.";

test.each<[string, Draft, readonly string[]]>([
  ["nothing", draft({ kind: "outcome" }), []],
  [
    "a_hidden_panel",
    draft({ kind: "outcome" }, { locked: ["walk", "tlb"] }),
    ["“Hit, miss or fault” needs a panel that is hidden: TLB."],
  ],
  ["a_short_count", draft(WALKS), []],
  ["a_long_count", draft(WALKS, { where: "walks" }), [HAND]],
  [
    "the_accesses_of_the_question_itself",
    draft(WALKS, { own: { [askKey(WALKS)]: { where: "hits", n: 1 } } }),
    [HAND],
  ],
  [
    "a_random_victim",
    draft(VICTIM),
    ["“Victim: TLB” cannot be known: the array evicts at random."],
  ],
])("the_warnings_name_%s", (_, made, expected) => {
  expect(draftWarnings(made, [TLB], { accesses: 900, at: 9 })).toEqual(
    expected,
  );
});

test("the_limit_counts_the_accesses_of_each_question", () => {
  const own = { [askKey(WALKS)]: { where: "walks" as const, n: 20 } };
  const asks = [WALKS, VICTIM, { kind: "outcome" } as const];
  expect(draftProblem(draft(WALKS, { asks, own }))).toBe(undefined);
  const many = [...asks, ...asks, ...asks];
  // Three of them have 20 of their own.
  expect(
    draftProblem(draft(WALKS, { asks: many, own, where: "walks", n: 9 })),
  ).toBe("A student gets at most 100 questions; these are 114.");
});

test("answers_spread_from_the_most_frequent_one", () => {
  const of = (question: number, answer: string) => ({
    question,
    posed: { ask: VICTIM },
    answer,
  });
  const spread = spreadOf([of(1, "0"), of(1, "5"), of(1, "5"), of(2, "1")]);
  expect(
    spread.map(({ answers }) =>
      answers.map(({ answer, n }) => `${answer}×${n}`),
    ),
  ).toEqual([["5×2", "0×1"], ["1×1"]]);
});

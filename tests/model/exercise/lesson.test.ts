/** The picture of a question shows what the question needs, and nothing that answers it. */
import { expect, test } from "vitest";
import type { Ask } from "../../../src/engine/generated/Ask";
import type { Panel } from "../../../src/engine/generated/Panel";
import type { StepView } from "../../../src/engine/generated/StepView";
import { questionStep, shownParts } from "../../../src/model/exercise/lesson";
import { snapshot } from "../../state/fakeData";

const { step: plain } = snapshot(6);

/** A walk that a walk cache shortened: it reads the two lowest of four levels. */
const step = {
  ...plain,
  translations: [
    {
      nested: null,
      refs: 2,
      levels: [4, 3, 2, 1].map((level) => ({
        level,
        state: level > 2 ? "skipped-by-psc" : "read",
      })),
    },
  ],
  // The code under test uses only these fields.
} as unknown as StepView;

const stepOf = (ask: Ask, locked: Panel[] = [], others: Ask[] = []) =>
  questionStep(
    {
      question: 1,
      posed: {
        ask,
        at: 6,
        address: "0x3d4",
        access: "load",
        form: "decimal",
        choices: [],
      },
    },
    {
      locked,
      choices: 4,
      questions: [ask, ...others].map((each) => ({ ask: each })),
    },
    step,
  );

test.each<[Ask, string]>([
  [{ kind: "set", of: "TLB" }, "address walk tlb totals timeline"],
  [{ kind: "outcome" }, "address tlb"],
  [{ kind: "number", of: "walks" }, "address tlb"],
  [{ kind: "page-size" }, "tlb timeline"],
  [{ kind: "references" }, "address walk tlb timeline"],
  [{ kind: "cycles" }, "address walk tlb timeline"],
])("the_picture_of_%j_shows_%s", (ask, shown) => {
  expect(stepOf(ask).show.join(" ")).toBe(shown);
});

test("what_answers_another_question_of_the_exercise_is_hidden_too", () => {
  const set: Ask = { kind: "set", of: "TLB" };
  const walks: Ask = { kind: "number", of: "walks" };
  expect(stepOf(set, [], [walks]).show).toEqual(["address", "walk", "tlb"]);
  const view = { locked: [], questions: [{ ask: set }, { ask: walks }] };
  expect(shownParts(view)).toEqual(["address", "walk", "tlb"]);
});

test("locked_panels_are_missing_and_the_array_of_the_question_is_shown", () => {
  const { show, array, ask } = stepOf({ kind: "set", of: "TLB" }, [
    "walk",
    "totals",
    "timeline",
  ]);
  expect(show).toEqual(["address", "tlb"]);
  expect(array).toBe("TLB");
  expect(ask?.choices).toBe(4);
});

test.each<[Ask, number | undefined]>([
  [{ kind: "entry-address", level: 2 }, 0],
  [{ kind: "entry-address", level: 1 }, 1],
  [{ kind: "physical" }, 2],
  [{ kind: "references" }, undefined],
])("the_walk_of_%j_stands_at_%s", (ask, walk) => {
  expect(stepOf(ask).walk).toBe(walk);
});

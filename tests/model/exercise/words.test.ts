/** Questions and hints have words for every kind; what a student did is read back as it was kept. */
import { expect, test } from "vitest";
import type { Ask } from "../../../src/engine/generated/Ask";
import type { Index } from "../../../src/engine/generated/Index";
import type { Posed } from "../../../src/engine/generated/Posed";
import { askKinds, askName } from "../../../src/model/exercise/kinds";
import {
  givenOf,
  isOver,
  NO_ANSWER,
  progressKey,
  readAnswers,
  writeAnswers,
} from "../../../src/model/exercise/progress";
import {
  hintMessages,
  questionMessage,
} from "../../../src/model/exercise/question";
import { messages } from "../../../src/model/texts/messages";
import { exercise } from "../../../src/texts/en/exercise";
import { exercise as korean } from "../../../src/texts/ko/exercise";
import { exercise as chinese } from "../../../src/texts/zh/exercise";
import { machineView } from "../../state/fakeData";
import {
  DEFAULT_MACHINE,
  DEFAULT_OS,
} from "../../../src/engine/generated/defaults";

const plain = machineView({ machine: DEFAULT_MACHINE, os: DEFAULT_OS });
const machine = {
  ...plain,
  levels: 4,
  structures: [
    {
      name: "L1 dTLB",
      role: "l1" as const,
      serves: ["load" as const],
      pages: ["4K"],
      sets: 16,
      ways: 4,
      index: "low-bits" as const,
      replacement: "lru",
      inside: null,
    },
  ],
};

const about = { machine, step: undefined };

const posed = (ask: Ask): Posed => ({
  ask,
  at: 6,
  address: "0x3d4",
  access: "load",
  form: "decimal",
  choices: [],
});

const all = askKinds(machine, undefined).flatMap(({ choices }) =>
  choices.map(({ ask }) => ask),
);

test("every_question_has_words_and_hints_in_every_language", () => {
  expect(all.length).toBeGreaterThan(20);
  for (const catalogue of [exercise, chinese, korean]) {
    const say = messages("en", catalogue);
    for (const ask of all) {
      const { key, values } = questionMessage(posed(ask), about);
      const text = say(key, values);
      expect(text, askName(ask)).not.toMatch(/[{}]|undefined/);
      const hints = hintMessages(posed(ask), about);
      expect(hints.length, askName(ask)).toBeGreaterThan(0);
      for (const hint of hints)
        expect(say(hint.key, hint.values)).not.toMatch(/[{}]|undefined/);
    }
  }
});

test.each<[Ask, string]>([
  [
    { kind: "set", of: "L1 dTLB" },
    "This array has 16 sets: take the lowest 4 bits of the page number.",
  ],
  [
    { kind: "victim", of: "L1 dTLB" },
    "This array has 4 ways in a set. Its policy is lru: the entry leaves that was used least recently.",
  ],
])("the_second_hint_for_%j_has_numbers", (ask, text) => {
  const say = messages("en", exercise);
  const [, second] = hintMessages(posed(ask), about);
  expect(second && say(second.key, second.values)).toBe(text);
});

test.each<[Index, readonly string[]]>([
  ["low-bits", ["hSet", "hSet2"]],
  ["xor", ["hSet", "hSetXor"]],
  [{ "xor-masks": ["0x11", "0x22", "0x44", "0x88"] }, ["hSet", "hSetMasks"]],
])("the_hints_for_a_set_fit_an_array_with_%j", (index, keys) => {
  const structures = machine.structures.map((array) => ({ ...array, index }));
  const hints = hintMessages(posed({ kind: "set", of: "L1 dTLB" }), {
    machine: { ...machine, structures },
    step: undefined,
  });
  expect(hints.map(({ key }) => key)).toEqual(keys);
  const [first] = hints;
  const say = messages("en", exercise);
  expect(first && say(first.key, first.values)).not.toContain("low");
});

test("no_text_of_the_catalogue_is_unused", () => {
  const used = new Set<string>();
  for (const ask of all) {
    used.add(questionMessage(posed(ask), about).key);
    for (const { key } of hintMessages(posed(ask), about)) used.add(key);
  }
  const needsStep = ["hIndex2", "hEntryAddress2", "hSetXor", "hSetMasks"];
  const unused = Object.keys(exercise).filter(
    (key) =>
      /^[qh][A-Z]/.test(key) && !used.has(key) && !needsStep.includes(key),
  );
  expect(unused).toEqual([]);
});

test("answers_are_read_back_and_what_is_damaged_is_empty", () => {
  const answers = [
    {
      ...NO_ANSWER,
      given: "3",
      right: true,
      tries: 2,
      seconds: 40,
      sure: "certain" as const,
    },
    NO_ANSWER,
  ];
  expect(readAnswers(writeAnswers(answers), 2)).toEqual(answers);
  for (const text of [
    undefined,
    "",
    "{",
    "[]",
    '{"version":9}',
    '{"version":1,"answers":[7,{"tries":-1,"given":9}]}',
  ])
    expect(readAnswers(text, 2)).toEqual([NO_ANSWER, NO_ANSWER]);
});

test("a_line_says_whether_the_student_was_certain", () => {
  const sure = (word: "guess" | "certain") => ({ ...NO_ANSWER, sure: word });
  expect(givenOf([sure("guess"), sure("certain"), NO_ANSWER])).toMatchObject([
    { sure: false },
    { sure: true },
    { given: "" },
  ]);
  expect(givenOf([NO_ANSWER])[0]).not.toHaveProperty("sure");
});

test("a_question_is_over_when_it_is_right_or_no_attempt_is_left", () => {
  const after = (tries: number, right = false) => ({
    ...NO_ANSWER,
    tries,
    right,
  });
  expect(isOver(after(1), 2)).toBe(false);
  expect(isOver(after(2), 2)).toBe(true);
  expect(isOver(after(9), undefined)).toBe(false);
  expect(isOver(after(1, true), undefined)).toBe(true);
});

test("a_name_with_outer_spaces_is_the_same_student", () => {
  expect(progressKey("ab", " Ada ")).toBe(progressKey("ab", "Ada"));
});

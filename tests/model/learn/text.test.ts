import { expect, test } from "vitest";
import { lessonProblems, marksIn } from "../../../src/model/learn/check";
import { withClaims } from "../../../src/model/learn/claims";
import { readLesson } from "../../../src/model/learn/lesson";
import { shownIn } from "../../../src/model/learn/marks";
import { fill, readLessonText } from "../../../src/model/learn/text";
import type { Language } from "../../../src/model/texts/language";
import { textOf } from "../../../src/model/replay/parts";

const HEAD = "# Title\nThe idea\nin one sentence.\n";

const read = (steps: string) => readLessonText("07/en.md", HEAD + steps);

test("a_text_has_a_title_an_idea_and_steps", () => {
  const { title, idea, steps } = read(`
## One
The [offset](offset) is
kept.

Another [page](term:page).

## Two
? Which set?
hint: The first.
hint: The second,
  longer.
right: Set 3.
wrong tag-for-set: That is the tag.
`);
  expect(title).toBe("Title");
  expect(textOf(idea)).toBe("The idea in one sentence.");
  const [one, two] = steps;
  expect(one?.paragraphs.map(textOf)).toEqual([
    "The offset is kept.",
    "Another page.",
  ]);
  expect(one && marksIn(one)).toEqual(["offset"]);
  expect(two?.paragraphs).toEqual([]);
  expect(textOf(two?.question ?? [])).toBe("Which set?");
  expect(two?.hints.map(textOf)).toEqual(["The first.", "The second, longer."]);
  expect(textOf(two?.right ?? [])).toBe("Set 3.");
  expect(textOf(two?.wrong["tag-for-set"] ?? [])).toBe("That is the tag.");
});

test.each([
  [
    "a_mark_of_no_picture",
    "## A\nB.\n\n## C\nThe [d](level-9).",
    "07/en.md, step 2: no picture has a mark “level-9”.",
  ],
  [
    "a_card_that_is_missing",
    "## A\n[b](term:bb)",
    "07/en.md, step 1: the glossary has no card “bb”.",
  ],
  [
    "an_answer_without_a_question",
    "## A\nright: b",
    "07/en.md, step 1: it has hints or answers, but no question.",
  ],
  [
    "a_mistake_that_the_simulator_does_not_name",
    "## A\n? b\nright: c\nwrong hit-not-miss: d",
    "07/en.md, step 1: the simulator names no mistake “hit-not-miss”; it names offset-for-set,",
  ],
])("text_with_%s", (_name, steps, message) => {
  expect(() => read(`\n${steps}`)).toThrow(message);
});

test("a_text_without_an_idea_is_an_error", () => {
  expect(() => readLessonText("07/en.md", "# Title\n")).toThrow(
    "07/en.md: it must begin with “# title” and an idea.",
  );
});

test("claims_fill_numbers_lists_and_bits", () => {
  const text = read(
    "\n## A\n{=n}, {=list.1} of {=list}, {=bits}, {=share}; {address}.",
  );
  const claims = new Map<string, never>(
    Object.entries({
      n: 4096,
      list: ["0x1", "0x2"],
      bits: [0, 1, 1],
      share: 0.958,
    }) as [string, never][],
  );
  const [step] = withClaims(text, claims).steps;
  const words = step?.paragraphs[0] ?? [];
  expect(textOf(words)).toBe("4,096, 0x2 of 0x1, 0x2, 011, 0.958; {address}.");
  expect(textOf(fill(words, { address: "0x3d4" }))).toContain("0x3d4.");
});

const step = { show: ["tlb"] };

const lesson = (part: object = {}) =>
  JSON.stringify({
    id: "a",
    minutes: 5,
    cpu: "c",
    trace: { lines: "load 0x0" },
    steps: [step, step, step, step, step],
    ...part,
  });

const five = "\n## A\nb".repeat(5);

const problems = (data: string, steps: string, language: Language = "en") =>
  lessonProblems(
    readLesson("07", data),
    `07/${language}.md`,
    read(steps),
    language,
  );

test("a_lesson_that_fits_its_text_has_no_problem", () => {
  expect(problems(lesson(), five)).toEqual([]);
});

test.each([
  [
    "few_steps",
    lesson({ steps: [step] }),
    "\n## A\nb",
    "07/lesson.json: it has 1 steps, not 5 to 9.",
  ],
  [
    "another_number_of_steps",
    lesson(),
    "\n## A\nb".repeat(6),
    "07/en.md: it has 6 steps, and lesson.json has 5.",
  ],
  [
    "a_long_step",
    lesson(),
    `\n## A\n${"word ".repeat(71)}${"\n## A\nb".repeat(4)}`,
    "07/en.md, step 1: it has 71 words; at most 70 are read.",
  ],
  [
    "a_question_without_a_text",
    lesson({
      steps: [{ ...step, ask: { kind: "outcome" } }, step, step, step, step],
    }),
    five,
    "07/en.md, step 1: lesson.json asks, but there is no “? ”.",
  ],
  [
    "a_text_without_a_question",
    lesson(),
    `\n## A\n? b\nright: c${"\n## A\nb".repeat(4)}`,
    "07/en.md, step 1: it has a question that lesson.json lacks.",
  ],
  [
    "a_number_that_no_claim_gives",
    lesson(),
    `\n## A\n{=n}${"\n## A\nb".repeat(4)}`,
    "07/en.md, step 1: “{=n}” is no claim of lesson.json, and none of {address}, {kind}, {page}, {array}, {size}.",
  ],
  [
    "totals_that_show_the_answer",
    lesson({
      steps: [
        {
          ...step,
          show: ["totals"],
          ask: { kind: "number", of: "walks" },
        },
        step,
        step,
        step,
        step,
      ],
    }),
    five,
    "07/lesson.json, step 1: “totals” shows the answer to a question about a number.",
  ],
])("problem_of_%s", (_name, data, steps, expected) => {
  expect(problems(data, steps)).toContain(expected);
});

test.each([
  ["zh", "组".repeat(106), 106, 105],
  ["zh", `${"页号".repeat(51)} TLB 0x3d4 (page number)`, 106, 105],
  ["ko", "집합은 ".repeat(56), 56, 55],
] as const)("a_step_in_%s_is_short", (language, text, n, most) => {
  const long = `\n## A\n${text}${"\n## A\nb".repeat(4)}`;
  expect(problems(lesson(), long, language)).toEqual([
    `07/${language}.md, step 1: it has ${n} words; at most ${most} are read.`,
  ]);
});

test.each([
  ["no_json", "{", "07/lesson.json: it is not valid JSON"],
  ["a_list", "[]", "07/lesson.json: the file must be an object."],
  [
    "no_id",
    lesson({ id: "A b" }),
    "07/lesson.json: “id” must be a word of small letters.",
  ],
  [
    "no_cpu",
    lesson({ cpu: 3 }),
    "07/lesson.json: “cpu” must be the id of a CPU model.",
  ],
  ["no_trace", lesson({ trace: {} }), "07/lesson.json: “trace” must have"],
  [
    "an_unknown_loop",
    lesson({ trace: { loop: "x" } }),
    "07/lesson.json: there is no program “x”.",
  ],
  [
    "an_unknown_part",
    lesson({ steps: [step, { show: ["tlbs"] }] }),
    "07/lesson.json, step 2: “show” has address,",
  ],
  [
    "nothing_to_show",
    lesson({ steps: [{ show: [] }] }),
    "07/lesson.json, step 1: “show” must name a part",
  ],
  [
    "an_unknown_field",
    lesson({ cpus: "c" }),
    "07/lesson.json: there is no field “cpus” here: the fields are id,",
  ],
  [
    "choices_outside_the_question",
    lesson({ steps: [{ ...step, choices: 4 }] }),
    "07/lesson.json, step 1: there is no field “choices” here: the fields are at,",
  ],
  [
    "a_negative_access",
    lesson({ steps: [{ ...step, at: -1 }] }),
    "07/lesson.json, step 1: “at” must be a whole number from 0.",
  ],
  [
    "a_question_without_a_kind",
    lesson({ steps: [{ ...step, ask: {} }] }),
    "07/lesson.json, step 1: “ask” must have a “kind”.",
  ],
  [
    "a_claim_without_a_name",
    lesson({ claims: [{}] }),
    "07/lesson.json: each claim must have a “name”.",
  ],
])("lesson_with_%s", (_name, data, message) => {
  expect(() => readLesson("07", data)).toThrow(message);
});

test("marks_are_found_in_what_is_drawn", () => {
  const html = '<g data-object="set-l1 entry-l1"><p data-level="4 3"></p></g>';
  expect([...shownIn(html)]).toEqual([
    "set-l1",
    "entry-l1",
    "level-4",
    "level-3",
  ]);
});

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Posed } from "../../../src/engine/generated/Posed";
import { messages } from "../../../src/model/texts/messages";
import { learn as learnZh } from "../../../src/texts/zh/learn";
import { sayLearn } from "../../texts/catalogues";
import { say, object } from "../../../src/model/replay/parts";
import { LessonList } from "../../../src/views/learn/LessonList";
import { LessonStrip } from "../../../src/views/learn/LessonStrip";
import { StepMarks } from "../../../src/views/shared/StepMarks";
import { QuestionBox } from "../../../src/views/learn/QuestionBox";
import type { QuestionBoxProps } from "../../../src/views/learn/QuestionBox";

afterEach(cleanup);

const POSED: Posed = {
  ask: { kind: "set", of: "TLB" },
  at: 7,
  address: "0x3d4",
  access: "load",
  form: "choice",
  choices: ["1", "3"],
};

function ask(part: Partial<QuestionBoxProps> = {}) {
  const calls = {
    onGive: vi.fn(),
    onSure: vi.fn(),
    onHint: vi.fn(),
    onRun: vi.fn(),
    onReveal: vi.fn(),
  };
  render(
    <QuestionBox
      say={sayLearn}
      question={say`Which set?`}
      hints={[say`First hint.`, say`Second hint.`]}
      posed={POSED}
      given=""
      sure={undefined}
      shownHints={1}
      graded={undefined}
      verdict={undefined}
      done={false}
      problem={undefined}
      {...calls}
      {...part}
    />,
  );
  return calls;
}

const box = () => screen.getByRole("region").textContent;

test("a_question_shows_its_choices_and_as_many_hints_as_were_asked_for", () => {
  const { onGive, onHint, onSure, onRun } = ask();
  expect(box()).toContain("before access 7");
  expect(box()).toContain("First hint.");
  expect(box()).not.toContain("Second hint.");
  fireEvent.click(screen.getByRole("radio", { name: "3" }));
  expect(onGive).toHaveBeenCalledWith("3");
  fireEvent.click(screen.getByRole("button", { name: "hint" }));
  expect(onHint).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByRole("radio", { name: "certain" }));
  expect(onSure).toHaveBeenCalledWith("certain");
  // Nothing is chosen.
  fireEvent.click(screen.getByRole("button", { name: /Run it/ }));
  expect(onRun).not.toHaveBeenCalled();
});

test("a_wrong_answer_has_a_diagnosis_and_the_answer_can_be_shown", () => {
  const { onReveal, onRun } = ask({
    given: "1",
    graded: { right: false, answer: "3", mistake: "tag-for-set" },
    verdict: say`That is the tag.`,
  });
  expect(box()).toContain("1: not so. That is the tag.");
  expect(box()).not.toContain("The answer is");
  fireEvent.click(screen.getByRole("button", { name: "Show the answer" }));
  expect(onReveal).toHaveBeenCalledOnce();
  // The same answer would be as wrong once more.
  fireEvent.click(screen.getByRole("button", { name: /Run it/ }));
  expect(onRun).not.toHaveBeenCalled();
});

test("the_marks_of_the_steps_are_one_stop_and_arrows_move_between_them", () => {
  const onStep = vi.fn();
  render(
    <StepMarks
      names={["one", "two", "three"]}
      at={1}
      isSeen={() => false}
      onStep={onStep}
    />,
  );
  const marks = screen.getAllByRole("button");
  expect(marks.map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1]);
  for (const key of ["ArrowLeft", "ArrowRight", "End", "Home", "a"])
    fireEvent.keyDown(screen.getByRole("button", { name: "two" }), { key });
  expect(onStep.mock.calls).toEqual([[0], [2], [2], [0]]);
});

test("chinese_punctuation_needs_no_space", () => {
  ask({
    say: messages("zh", learnZh),
    given: "hit",
    graded: { right: false, answer: "miss" },
    verdict: say`组里没有。`,
  });
  expect(box()).toContain("提示：First hint.");
  expect(box()).toContain("命中 (hit)：不对。组里没有。");
});

test("after_the_access_nothing_can_be_chosen", () => {
  ask({
    given: "1",
    graded: { right: false, answer: "3" },
    verdict: say`Not yet.`,
    done: true,
  });
  expect(box()).toContain("The answer is 3.");
  expect(screen.queryByRole("button", { name: /Run it/ })).toBe(null);
  expect(
    screen.getByRole<HTMLInputElement>("radio", { name: "3" }).disabled,
  ).toBe(true);
});

test("a_number_is_typed_and_enter_runs_it", () => {
  const { onGive, onRun } = ask({
    posed: { ...POSED, form: "hexadecimal", choices: [] },
    given: "f",
  });
  const field = screen.getByRole<HTMLInputElement>("textbox", {
    name: "Which set?",
  });
  expect(field.maxLength).toBe(100);
  fireEvent.change(field, { target: { value: "0xf" } });
  expect(onGive).toHaveBeenCalledWith("0xf");
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onRun).toHaveBeenCalledOnce();
});

test("a_question_that_cannot_be_posed_says_why", () => {
  ask({ posed: undefined, done: true, problem: "no array TLB" });
  expect(box()).toContain(
    "The simulator cannot pose this question: no array TLB",
  );
});

test("a_strip_names_the_step_and_waits_for_the_answer", () => {
  const onStep = vi.fn();
  render(
    <LessonStrip
      say={sayLearn}
      number={2}
      of={15}
      lesson="Cut the address"
      step={2}
      steps={3}
      seen={[1, 2]}
      answers={{ 1: { given: "3", right: true, tries: 1 } }}
      foreign={undefined}
      title="Two parts"
      paragraphs={[say`The ${object("offset", "offset", "offset")} of 0x3d4.`]}
      score="1 of 1 right first time"
      next="Next step"
      onNext={undefined}
      onBack={vi.fn()}
      onStep={onStep}
      onList={vi.fn()}
      change={undefined}
    >
      {null}
    </LessonStrip>,
  );
  const text = screen.getByRole("region", { name: "The lesson" }).textContent;
  expect(text).toContain("Lesson 2 of 15step 2 of 3");
  expect(screen.getByText("offset").dataset["object"]).toBe("offset");
  expect(screen.getByText("0x3d4").tagName).toBe("CODE");
  const next = screen.getByRole("button", { name: "Next step" });
  expect(next.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(
    screen.getByRole("button", { name: "Step 1, answered right" }),
  );
  expect(onStep).toHaveBeenCalledWith(1);
});

test("the_list_says_what_each_lesson_is_and_how_far_the_reader_is", () => {
  const lesson = {
    id: "sets",
    language: "en" as const,
    title: "Sets",
    idea: say`A page goes into one set.`,
    minutes: 6,
    short: true,
    steps: 7,
    questions: 3,
  };
  render(
    <LessonList
      say={sayLearn}
      lessons={[lesson, { ...lesson, id: "b", title: "B", short: false }]}
      progress={{
        sets: {
          seen: [1, 2, 4],
          answers: { 2: { given: "3", right: true, tries: 1 } },
        },
      }}
      problems={["07/en.md: broken."]}
      linkTo={(id, step) => `#${id} ${step}`}
      onForget={vi.fn()}
      onSave={() => Promise.resolve("")}
      onLoad={vi.fn()}
    />,
  );
  const [first, second] = screen.getAllByRole("listitem").slice(1);
  expect(first?.textContent).toBe(
    "Setsshort courseA page goes into one set.6 minutes3 questionsstep 4 of 7, 1 of 1 right first time",
  );
  expect(second?.textContent).toContain("not begun");
  const links = screen
    .getAllByRole("link")
    .map((each) => each.getAttribute("href"));
  // The first one continues.
  expect(links).toEqual(["#sets 4", "#sets 4", "#b 1"]);
  expect(screen.getByRole("alert").textContent).toBe("07/en.md: broken.");
  expect(document.body.textContent).toContain(
    "The short course is 1 lesson, 6 minutes.",
  );
});

test("the_list_says_how_often_a_certain_answer_was_right", () => {
  const answer = {
    given: "3",
    right: true,
    tries: 1,
    sure: "certain",
  } as const;
  const onLoad = vi.fn();
  render(
    <LessonList
      say={sayLearn}
      lessons={[]}
      progress={{
        sets: {
          seen: [],
          answers: {
            1: answer,
            2: { ...answer, tries: 2 },
            3: { ...answer, sure: "guess" },
            4: { ...answer, tries: 3 },
            5: answer,
          },
        },
      }}
      problems={[]}
      linkTo={() => "#"}
      onForget={vi.fn()}
      onSave={() => Promise.resolve("")}
      onLoad={onLoad}
    />,
  );
  const { textContent } = screen.getByRole("region", {
    name: "How sure were you?",
  });
  expect(textContent).toContain(
    "guess1 of 1 rightfairly–certain2 of 4 rightYou are surer than you are right.",
  );
  const file = new File(["{}"], "progress.json");
  fireEvent.change(screen.getByTestId("progress-file"), {
    target: { files: [file] },
  });
  expect(onLoad).toHaveBeenCalledWith(file);
});

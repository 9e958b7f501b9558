/** The screen of lessons: steps, questions, progress, and the way into the replay and back. */
import { expect, test } from "vitest";
import { decodePermalink } from "../../src/model/permalink/permalink";
import { readProgress } from "../../src/model/learn/progress";
import { permalink } from "../../src/state/selectors";
import { createApp, settle } from "./app";

/** Opens a link to Learn in a fresh app. */
async function open(hash: string) {
  const app = createApp();
  await app.actions.open(hash);
  await settle();
  await settle();
  const actions = await app.actions.learn();
  const learn = () => {
    const { learn } = app.state();
    if (!learn) throw new Error("The lessons are not loaded.");
    return learn;
  };
  return { ...app, learn, lesson: actions };
}

test("the_list_has_all_lessons_in_the_order_of_their_folders", async () => {
  const { learn } = await open("#screen=learn");
  expect(learn().lessons.map(({ text }) => text.title)).toEqual([
    "Sets",
    "More",
    "Loops",
  ]);
  expect(learn().at).toBe(undefined);
  expect(learn().problems).toEqual([]);
});

test("a_link_opens_a_step_on_an_engine_of_its_own", async () => {
  const { learn, engine, sideEngines, state } = await open(
    "#screen=learn&lesson=sets&step=2",
  );
  expect(learn().at).toEqual({ lesson: "sets", step: 2 });
  expect(learn().shown?.scene.step.index).toBe(1);
  expect(learn().shown?.scene.earlier?.step.index).toBe(0);
  expect(learn().question?.posed?.choices).toEqual(["1", "3", "0xf", "20"]);
  expect(sideEngines[0]?.log).toEqual([
    "cpus",
    "import Sets",
    "configure Skylake-SP 4K",
    "run",
    "seek 1",
    "seek 0",
    "ask 1 set",
  ]);
  expect(engine.log).not.toContain("import Sets");
  expect(permalink(state())).toEqual({
    screen: "learn",
    lesson: "sets",
    step: 2,
  });
});

test("a_lesson_is_simulated_once_and_steps_are_only_looked_up", async () => {
  const { lesson, sideEngines } = await open("#screen=learn&lesson=sets");
  await lesson.goTo({ lesson: "sets", step: 4 });
  expect(sideEngines).toHaveLength(1);
  const log = sideEngines[0]?.log ?? [];
  expect(log.filter((line) => line === "run")).toHaveLength(1);
  await lesson.goTo({ lesson: "more", step: 1 });
  expect(log.filter((line) => line === "run")).toHaveLength(2);
});

test("a_wrong_answer_is_diagnosed_and_a_right_one_runs_the_access", async () => {
  const { lesson, learn, lessons } = await open(
    "#screen=learn&lesson=sets&step=2",
  );
  lesson.hint();
  lesson.beSure("certain");
  lesson.give("0xf");
  await lesson.answer();
  expect(learn().question).toMatchObject({
    graded: { right: false, mistake: "page-for-set" },
    done: false,
    hints: 1,
  });
  lesson.give("3");
  expect(learn().question?.graded).toBe(undefined);
  await lesson.answer();
  expect(learn().question).toMatchObject({ done: true, given: "3" });
  // The access has run: nothing changes the answer now.
  lesson.give("1");
  expect(learn().question?.given).toBe("3");
  expect(readProgress(lessons.kept ?? "")).toEqual({
    sets: {
      seen: [2],
      answers: {
        2: {
          given: "3",
          right: true,
          tries: 2,
          mistake: "page-for-set",
          sure: "certain",
        },
      },
    },
  });
  await lesson.forget();
  expect(readProgress(lessons.kept ?? "")).toEqual({});
});

test("an_empty_answer_is_not_graded", async () => {
  const { lesson, sideEngines, learn } = await open(
    "#screen=learn&lesson=sets&step=3",
  );
  expect(learn().question?.posed?.form).toBe("decimal");
  lesson.give("  ");
  await lesson.answer();
  expect(sideEngines[0]?.log.at(-1)).toBe("ask 1 references");
});

test("a_question_that_cannot_be_posed_says_why_and_lets_the_reader_go_on", async () => {
  const { lesson, learn, sideEngines } = await open(
    "#screen=learn&lesson=sets",
  );
  sideEngines[0]?.failNext("ask", "bad-config", "of");
  await lesson.goTo({ lesson: "sets", step: 2 });
  expect(learn().question).toMatchObject({ done: true });
  expect(learn().question?.problem).toContain("ask failed");
});

test("a_lesson_whose_machine_fails_says_why_and_is_tried_again", async () => {
  const { lesson, learn, sideEngines } = await open(
    "#screen=learn&lesson=sets",
  );
  sideEngines[0]?.failNext("configure", "bad-config");
  await lesson.goTo({ lesson: "more", step: 1 });
  expect(learn().problem).toContain("configure failed.");
  await lesson.goTo({ lesson: "more", step: 2 });
  expect(learn().problem).toBe(undefined);
  expect(learn().shown?.lesson).toBe("more");
});

test("an_unknown_lesson_is_named_above_the_list_and_a_step_is_clamped", async () => {
  const { learn } = await open("#screen=learn&lesson=nothing");
  expect(learn().at).toBe(undefined);
  expect(learn().unknown).toBe("nothing");
  const other = await open("#screen=learn&lesson=sets&step=99");
  expect(other.learn().at?.step).toBe(5);
});

test("a_broken_lesson_leaves_the_others", async () => {
  const app = createApp();
  const [second] = app.lessons.files;
  if (!second) throw new Error("There are two lessons.");
  app.lessons.files = [
    second,
    { ...second, folder: "03-cut", lesson: '{"id": "cut"' },
    { ...second, folder: "04-mark", text: "# A\nB [c](nowhere)." },
  ];
  await app.actions.open("#screen=learn");
  await settle();
  const { learn } = app.state();
  expect(learn?.lessons).toHaveLength(1);
  expect(learn?.problems[0]).toMatch(/^03-cut\/lesson.json: it is not valid/);
  expect(learn?.problems[1]).toBe(
    "04-mark/en.md: no picture has a mark “nowhere”.",
  );
});

test("another_language_keeps_the_place_the_question_and_the_progress", async () => {
  const { lesson, learn, sideEngines } = await open(
    "#screen=learn&lesson=sets&step=2",
  );
  lesson.hint();
  lesson.give("0xf");
  const before = learn();
  await lesson.speak("zh");
  const { language, lessons, ...rest } = learn();
  expect(language).toBe("zh");
  expect(rest).toEqual({
    at: before.at,
    unknown: before.unknown,
    shown: before.shown,
    problem: before.problem,
    question: before.question,
    progress: before.progress,
    problems: [],
  });
  expect(sideEngines).toHaveLength(1);
  const [sets, more] = lessons;
  expect(sets?.text.title).toBe("组");
  expect(sets?.language).toBe("zh");
  // The other lesson is in English only.
  expect(more?.text.title).toBe("More");
  expect(more?.language).toBe("en");
});

test("the_language_that_was_asked_for_last_wins", async () => {
  const { lesson, learn } = await open("#screen=learn");
  await Promise.all([lesson.speak("zh"), lesson.speak("en")]);
  expect(learn().language).toBe("en");
  expect(learn().lessons[0]?.language).toBe("en");
});

test("a_step_opens_in_the_replay_whose_link_leads_back", async () => {
  const { lesson, state, engine, actions, learn } = await open(
    "#screen=learn&lesson=sets&step=2",
  );
  await lesson.openInReplay(false);
  await settle();
  expect(state().screen).toBe("replay");
  expect(state().trace?.name).toBe("Sets");
  expect(state().cursor).toBe(1);
  expect(state().back).toEqual({ lesson: "sets", step: 2 });
  expect(engine.log).toContain("import Sets");
  const link = permalink(state());
  expect(link).toMatchObject({ lesson: "sets", step: 2, access: 1 });
  expect(link.data).toBeDefined();
  await actions.open("#screen=learn&lesson=sets&step=2");
  await settle();
  expect(state().back).toBe(undefined);
  expect(learn().at?.step).toBe(2);
});

test("change_one_thing_opens_the_changed_machine", async () => {
  const { lesson, state } = await open("#screen=learn&lesson=sets&step=5");
  await lesson.openInReplay(true);
  expect(state().configuration?.cpu).toBe("amd-zen2");
  expect(state().configuration?.setup.os.default).toBe("2M");
});

test("a_link_to_a_replay_of_a_lesson_shows_the_way_back", async () => {
  const { actions, state } = createApp();
  await actions.open("#lesson=sets&step=3&trace=chase&access=7");
  expect(state().back).toEqual({ lesson: "sets", step: 3 });
  expect(state().cursor).toBe(7);
  actions.leaveLesson();
  expect(permalink(state()).lesson).toBe(undefined);
});

test("lesson_and_step_are_words_of_a_link", () => {
  expect(decodePermalink("#screen=learn&lesson=sets&step=3")).toEqual({
    screen: "learn",
    lesson: "sets",
    step: 3,
  });
  expect(() => decodePermalink("#screen=learn&step=x")).toThrow(
    "“step” must be a whole number, not “x”.",
  );
});

test("progress_is_saved_to_a_file_and_loaded_again", async () => {
  const first = await open("#screen=learn&lesson=sets&step=2");
  first.lesson.give("3");
  await first.lesson.answer();
  const text = await first.lesson.saveProgress();
  const later = text.replace('"version": 1', '"version": 2,\n  "name": "Kim"');
  const { lesson, learn, lessons } = await open(
    "#screen=learn&lesson=sets&step=4",
  );
  await lesson.loadProgress(new File(["{}"], "other.json"));
  expect(learn().badFile).toBe("other.json");
  expect(learn().progress["sets"]?.seen).toEqual([4]);
  await lesson.loadProgress(new File([later], "progress.json"));
  expect(learn().badFile).toBe(undefined);
  expect(learn().progress["sets"]).toMatchObject({
    seen: [2, 4],
    answers: { 2: { given: "3", right: true, tries: 1 } },
  });
  // A later version finds what it wrote.
  await lesson.goTo({ lesson: "sets", step: 5 });
  expect(lessons.kept).toContain('"name": "Kim"');
  await lesson.forget();
  expect(lessons.kept).not.toContain("Kim");
});

test("a_lesson_is_printed_with_the_answers_of_the_simulator", async () => {
  const { lesson, learn } = await open("#screen=learn&lesson=sets&step=1");
  await lesson.print();
  const { sheet } = learn();
  expect(sheet?.lesson).toBe("sets");
  expect(
    sheet?.steps.map(
      ({ asked }) => asked && [asked.posed.ask.kind, asked.answer],
    ),
  ).toEqual([
    undefined,
    ["set", "3"],
    ["references", "3"],
    undefined,
    undefined,
  ]);
  lesson.dropSheet();
  expect(learn().sheet).toBe(undefined);
});

test("the_programs_of_a_lesson_run_with_another_size", async () => {
  const { lesson, learn, sideEngines, codeService } =
    await open("#screen=learn");
  await lesson.goTo({ lesson: "loops", step: 1 });
  // The sandbox does not load.
  await lesson.runPrograms(512);
  expect(learn().programs?.problem).toMatch(/could not be loaded/);
  codeService.outcome = {
    file: () => new Blob(["load 0x0"]),
    result: { accesses: 1, arrays: [], log: [] },
  };
  await lesson.runPrograms(512);
  expect(learn().programs).toMatchObject({
    lesson: "loops",
    n: 512,
    runs: [{ name: "rows" }, { name: "columns" }],
  });
  expect(codeService.ran.at(-1)).toContain("const n = 512;");
  const log = sideEngines.at(-1)?.log ?? [];
  expect(log.filter((line) => line === "run")).toHaveLength(2);
});

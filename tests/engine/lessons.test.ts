/** Each lesson in the real simulator: it opens at every step, and its pictures have what its text names. */
import { openAsBlob } from "node:fs";
import { createElement } from "react";
import { prerender } from "react-dom/static";
import { afterAll, expect, test } from "vitest";
import { LessonPicture } from "../../src/app/learn/LessonPicture";
import { marksIn } from "../../src/model/learn/check";
import { shownIn } from "../../src/model/learn/marks";
import type { LessonStep } from "../../src/model/learn/lesson";
import { pictureOf } from "../../src/model/learn/picture";
import {
  answerAt,
  askedArray,
  pressable,
  spotOf,
} from "../../src/model/learn/pictureAnswer";
import type { Picture } from "../../src/model/learn/picture";
import type { WholeRun } from "../../src/model/learn/whole";
import { SCRIPT_LIMITS } from "../../src/model/code/code";
import { readLessons } from "../../src/state/learn/lessons";
import { withChange } from "../../src/state/learn/replay";
import { lessonConfiguration, sceneOf } from "../../src/state/learn/run";
import { simulate } from "../../src/state/learn/simulate";
import type { Loaded } from "../../src/state/learn/simulate";
import type { LessonEntry } from "../../src/state/learn/state";
import { fileOf } from "../app/code/runScriptExample";
import { sayLearn } from "../texts/catalogues";
import { documentedLesson, lessonFiles } from "../texts/lessons";
import { fakeCode } from "../state/fakeCode";
import { wasmEngine } from "./wasm";

// The other languages have the marks of the English texts, as tests/texts/ makes sure.
const shipped = lessonFiles("en");
const documented = documentedLesson();
// A reader of the page may have put its lesson into the folder.
const files = shipped.some(({ folder }) => folder === documented.folder)
  ? shipped
  : [...shipped, documented];
const { lessons, problems } = readLessons(files);

const engine = wasmEngine();
afterAll(() => engine.dispose());

/** Programs run as in their sandbox, without it. */
const codeService = {
  ...fakeCode(),
  run: (code: string) =>
    Promise.resolve({
      file: () => fileOf(code),
      result: { accesses: SCRIPT_LIMITS.accesses, arrays: [], log: [] },
    }),
};

const fetchTrace = ({ file }: { readonly file: string }) =>
  openAsBlob(`public/traces/${file}`);

/** The picture as HTML. */
async function drawn(
  picture: Picture,
  { show }: LessonStep,
  whole: WholeRun,
): Promise<string> {
  const { prelude } = await prerender(
    createElement(LessonPicture, {
      say: sayLearn,
      picture,
      show,
      whole,
      programs: [],
      phone: false,
      narrow: false,
      onWalkAt: () => {},
      onPrograms: () => {},
      onRunPrograms: () => {},
    }),
  );
  return new Response(prelude).text();
}

/** Says at which step of a lesson something failed. */
async function atStep<T>(n: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw new Error(`step ${n + 1}: ${String(thrown)}`, { cause: thrown });
  }
}

/** The marks of a step that neither the picture before its access nor the one after it has. */
async function missing(
  entry: LessonEntry,
  at: number,
  { machine, whole }: Loaded,
): Promise<string[]> {
  const step = entry.lesson.steps[at];
  const words = entry.text.steps[at];
  if (!step || !words) return [];
  const scene = await sceneOf(engine, machine, step);
  const pictures = [false, true].map((answered) =>
    pictureOf(scene, step, answered),
  );
  const html = await Promise.all(
    pictures.map((each) => drawn(each, step, whole)),
  );
  const shown = shownIn(html.join(""));
  const { array, folder } = { ...step, ...entry.lesson };
  const lacks = machine.structures.every(({ name }) => name !== array);
  return [
    ...(array !== undefined && lacks ? [`there is no array “${array}”`] : []),
    ...marksIn(words)
      .filter((mark) => !shown.has(mark))
      .map((mark) => `no picture of the step has the mark “${mark}”`),
  ].map((problem) => `${folder}, step ${at + 1}: ${problem}`);
}

test("the_files_of_all_lessons_can_be_read", () => {
  expect(problems).toEqual([]);
  expect(lessons.length).toBe(files.length);
  expect(new Set(lessons.map(({ lesson }) => lesson.id)).size).toBe(
    files.length,
  );
});

test.each(lessons.map((entry) => [entry.lesson.folder, entry] as const))(
  "%s_opens_at_each_step_and_shows_what_its_text_names",
  async (_folder, entry) => {
    const cpus = await engine.call("cpus", {});
    const loaded = await simulate({ codeService, fetchTrace }, engine, entry);
    const found: string[] = [];
    for (const at of entry.lesson.steps.keys())
      found.push(...(await atStep(at, () => missing(entry, at, loaded))));
    expect(found).toEqual([]);
    if (entry.lesson.change === undefined) return;
    const usual = lessonConfiguration(entry.lesson, cpus);
    const { setup } = withChange(usual, entry.lesson, { cpus });
    expect(setup).not.toEqual(usual.setup);
    await engine.call("configure", setup);
  },
);

test.each(lessons.map((entry) => [entry.lesson.folder, entry] as const))(
  "the_simulator_poses_and_grades_the_questions_of_%s",
  async (_folder, entry) => {
    await simulate({ codeService, fetchTrace }, engine, entry);
    for (const [n, { at, ask: asked }] of entry.lesson.steps.entries()) {
      if (!asked) continue;
      const { ask, choices } = asked;
      const posed = await atStep(n, () =>
        engine.call("ask", {
          at,
          ask,
          seed: 1,
          ...(choices !== undefined && { choices }),
        }),
      );
      const wrong = await engine.call("answer", {
        at,
        ask,
        given: "none of it",
      });
      expect(wrong.right).toBe(false);
      if (posed.form === "choice")
        expect(posed.choices).toContain(wrong.answer);
      const right = await engine.call("answer", {
        at,
        ask,
        given: wrong.answer,
      });
      expect(right).toEqual({ right: true, answer: wrong.answer });
    }
  },
);

test("a_step_about_another_core_shows_what_that_core_lost", async () => {
  const entry = lessons.find(
    ({ lesson }) => lesson.id === "switch-and-shootdown",
  );
  const step = entry?.lesson.steps[3];
  if (!entry || !step) throw new Error("no lesson with a shootdown");
  const { machine, whole } = await simulate(
    { codeService, fetchTrace },
    engine,
    entry,
  );
  const picture = pictureOf(await sceneOf(engine, machine, step), step, false);
  const html = await drawn(picture, step, whole);
  // The access itself ran on the first core, and filled its TLB.
  expect(picture.done.translations[0]?.fills).not.toEqual([]);
  expect(html).toContain("<b>removed</b> <code>10</code>");
  expect(html).toContain("this access did not look here");
});

/** The words that a screen reader and tips add to a picture; slots name what they show. */
function labelsIn(html: string): readonly string[] {
  return [
    ...html.matchAll(
      /<[a-z]+(?![^>]*role="gridcell")[^>]* (?:aria-label|aria-valuetext|title)="([^"]*)"|<title>([^<]*)/g,
    ),
  ].map(([, attribute, title]) => attribute ?? title ?? "");
}

/** Returns whether a text names a number as a word of its own, in either base. */
function names(text: string, answer: string): boolean {
  const value = BigInt(answer);
  const texts = [value.toString(), `0x${value.toString(16)}`];
  return text.split(/\W+/).some((word) => texts.includes(word));
}

test("labels_name_numbers_as_words_of_their_own", () => {
  expect(labelsIn('<a b="1" aria-label="set 5"><title>x</title>')).toEqual([
    "set 5",
    "x",
  ]);
  expect(labelsIn('<rect role="gridcell" aria-label="set 5">')).toEqual([]);
  expect(
    ["set 5", "set 0x5.", "0x50 15"].map((text) => names(text, "5")),
  ).toEqual([true, true, false]);
});

const SECRET = ["set", "field", "physical", "entry-address"];

test.each(lessons.map((entry) => [entry.lesson.folder, entry] as const))(
  "while_a_question_of_%s_waits_a_press_answers_it_and_no_label_does",
  async (_folder, entry) => {
    const { machine, whole } = await simulate(
      { codeService, fetchTrace },
      engine,
      entry,
    );
    const found: string[] = [];
    for (const [n, step] of entry.lesson.steps.entries()) {
      const { at } = step;
      if (!step.ask) continue;
      const { ask, choices } = step.ask;
      const posed = await engine.call("ask", {
        at,
        ask,
        seed: 1,
        ...(choices !== undefined && { choices }),
      });
      const { answer } = await engine.call("answer", { at, ask, given: "?" });
      const scene = await sceneOf(engine, machine, step);
      const picture = pictureOf(scene, step, false);
      const asked = askedArray(posed, picture);
      expect(pressable(posed, picture, step.show)).toBe(asked?.what);
      const spot = asked && spotOf(asked, answer);
      if (asked) expect(spot && answerAt(asked, spot)).toBe(answer);
      const html = await drawn(picture, step, whole);
      const walk = /<svg class="walk-svg"[^]*?<\/svg>/.exec(html)?.[0] ?? "";
      const end = /exception|not reached:|\bhit\b|skipped|first touch/.exec(
        walk,
      );
      if (end) found.push(`step ${n + 1}: the walk says ${end[0]}`);
      if (!SECRET.includes(ask.kind)) continue;
      const labels = labelsIn(html);
      expect(labels.length).toBeGreaterThan(0);
      const named = labels.filter((label) => names(label, answer));
      found.push(
        ...named.map(
          (label) =>
            `step ${n + 1}: the label “${label}” contains the answer ${answer}`,
        ),
      );
    }
    expect(found).toEqual([]);
  },
);

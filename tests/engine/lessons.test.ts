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
import type { Picture } from "../../src/model/learn/picture";
import type { WholeRun } from "../../src/model/learn/whole";
import { LOOP_LIMITS } from "../../src/model/loop/loop";
import { readLessons } from "../../src/state/learn/lessons";
import { withChange } from "../../src/state/learn/replay";
import { lessonConfiguration, sceneOf } from "../../src/state/learn/run";
import { simulate } from "../../src/state/learn/simulate";
import type { Loaded } from "../../src/state/learn/simulate";
import type { LessonEntry } from "../../src/state/learn/state";
import { fileOf } from "../app/loop/runExample";
import { sayLearn } from "../texts/catalogues";
import { documentedLesson, lessonFiles } from "../texts/lessons";
import { fakeLoops } from "../state/fakeLoops";
import { wasmEngine } from "./wasm";

// The other languages have the marks of the English texts, as tests/texts/ makes sure.
const files = [...lessonFiles("en"), documentedLesson()];
const { lessons, problems } = readLessons(files);

const engine = wasmEngine();
afterAll(() => engine.dispose());

/** Loops run as in their sandbox, without it. */
const loops = {
  ...fakeLoops(),
  run: (code: string) =>
    Promise.resolve({
      file: fileOf(code),
      result: { accesses: LOOP_LIMITS.accesses, arrays: [], log: [] },
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
      guess: null,
      phone: false,
      narrow: false,
      onWalkAt: () => {},
      onLoops: () => {},
    }),
  );
  return new Response(prelude).text();
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
    ...(array !== undefined && lacks ? [`no array “${array}”`] : []),
    ...marksIn(words).filter((mark) => !shown.has(mark)),
  ].map((mark) => `${folder}, step ${at + 1}: ${mark}`);
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
    const loaded = await simulate({ loops, fetchTrace }, engine, entry);
    const found: string[] = [];
    for (const at of entry.lesson.steps.keys())
      found.push(...(await missing(entry, at, loaded)));
    expect(found).toEqual([]);
    if (entry.lesson.change === undefined) return;
    const usual = lessonConfiguration(entry.lesson, cpus);
    const { setup } = withChange(usual, entry.lesson, { cpus });
    await engine.call("configure", setup);
  },
);

test.each(lessons.map((entry) => [entry.lesson.folder, entry] as const))(
  "the_simulator_poses_and_grades_the_questions_of_%s",
  async (_folder, entry) => {
    await simulate({ loops, fetchTrace }, engine, entry);
    for (const { at, ask: asked } of entry.lesson.steps) {
      if (!asked) continue;
      const { ask, choices } = asked;
      const posed = await engine.call("ask", {
        at,
        ask,
        seed: 1,
        ...(choices !== undefined && { choices }),
      });
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

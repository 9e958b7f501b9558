/** Apps that have an exercise open. */
import { exerciseData } from "../../src/model/exercise/link";
import type {
  StudentState,
  TeacherState,
} from "../../src/state/exercise/state";
import { createApp, settle } from "./app";

export const TEXT = JSON.stringify({
  pagewalk: "exercise",
  title: "Sets",
  attempts: 2,
  questions: [
    { ask: { kind: "set", of: "TLB" }, at: 6 },
    { ask: { kind: "references" }, at: 7 },
  ],
});

/** The fake packs a text by a `!` after it, so words are encoded here. */
export function packed(
  app: ReturnType<typeof createApp>,
  text: string,
): string {
  const words = new Map([["abc", text]]);
  app.codeService.unpack = (word) => {
    const found = words.get(word);
    return found === undefined
      ? Promise.reject(new Error("damaged"))
      : Promise.resolve(found);
  };
  app.codeService.pack = (code) =>
    Promise.resolve(code === text ? "abc" : "other");
  return exerciseData("abc");
}

export async function settled() {
  for (let n = 0; n < 8; n++) await settle();
}

export async function openStudent(text = TEXT, app = createApp()) {
  const data = packed(app, text);
  await app.actions.open(`#screen=learn&exercise=${data}`);
  await settled();
  const student = () => {
    const { exercise } = app.state();
    if (exercise?.role !== "student") throw new Error("It is no student.");
    return exercise satisfies StudentState;
  };
  return {
    ...app,
    student,
    data,
    solve: (await app.actions.exercise()).student,
  };
}

/** Another exercise, about another trace. */
export const OTHER = TEXT.replace("Sets", "Others").replace(
  '"attempts":2',
  '"trace":{"lines":"load 0x777"}',
);

export const seen = (app: ReturnType<typeof createApp>, what: RegExp) =>
  app.sideEngines.flatMap(({ log }) => log.filter((line) => what.test(line)));

export async function openTeacher() {
  const app = createApp();
  const data = packed(app, TEXT);
  await app.actions.open(`#screen=learn&grade=${data}`);
  await settled();
  const teacher = () => {
    const { exercise } = app.state();
    if (exercise?.role !== "teacher") throw new Error("It is no teacher.");
    return exercise satisfies TeacherState;
  };
  const grade = (await app.actions.exercise()).teacher;
  return { ...app, teacher, grade, data };
}

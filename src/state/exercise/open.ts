/** Opens exercises from links, files and pasted texts, for a student and for a teacher. */
import { MAX_TEXT } from "../../engine/generated/exerciseRules";
import {
  bytesOf,
  dataIn,
  exerciseData,
  ExerciseLinkError,
  fitsLink,
  packedExercise,
} from "../../model/exercise/link";
import { isExercise } from "../../model/exercise/file";
import { progressKey, readAnswers } from "../../model/exercise/progress";
import type { Permalink } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { set } from "../context";
import { EngineError } from "../../engine/engine";
import { problemOf } from "../learn/problem";
import { resume, teacherOf } from "./grading";
import { exerciseEngine } from "./session";
import { NO_STUDENT, NO_TEACHER } from "./state";
import type { ExerciseProblem, ExerciseState } from "./state";

type Role = ExerciseState["role"];

/** Shows the exercise that a link names. */
export async function showExercise(
  context: Context,
  link: Pick<Permalink, "exercise" | "grade">,
): Promise<void> {
  const role: Role = link.grade === undefined ? "student" : "teacher";
  const data = link.grade ?? link.exercise ?? "";
  const { exercise } = context.store.getState();
  if (exercise?.role === role && dataOf(exercise) === data) return;
  begin(context, role, data);
  if (data === "") return;
  try {
    const text = await context.codeService.unpack(
      packedExercise(data),
      MAX_TEXT,
    );
    // Some characters have more than one byte.
    if (bytesOf(text) > MAX_TEXT) throw new ExerciseLinkError("damaged");
    await openText(context, role, data, text);
  } catch (thrown) {
    const isNewer =
      thrown instanceof ExerciseLinkError && thrown.problem === "newer";
    if (isHere(context, role, data))
      fail(context, { key: isNewer ? "problemNewer" : "problemDamaged" });
  }
}

/** Opens the text of a file, a link, or what was pasted. */
export async function takeExercise(
  context: Context,
  role: Role,
  input: string,
): Promise<void> {
  if (!isExercise(input.slice(0, 100_000))) {
    const data = dataIn(input);
    if (data !== undefined)
      return showExercise(
        context,
        role === "student" ? { exercise: data } : { grade: data },
      );
    // What is open stays.
    if (context.store.getState().exercise?.role !== role)
      begin(context, role, "");
    fail(context, { key: "problemFile" });
    return;
  }
  const data = exerciseData(await context.codeService.pack(input));
  // A reload opens it again, if it fits.
  const kept = fitsLink(data, input) ? data : "";
  begin(context, role, kept);
  await openText(context, role, kept, input);
}

/** The longest file of an exercise: 200,000 accesses as lines have less. */
const FILE_MOST = 50_000_000;

/** Opens a file, unless it is too large for an exercise. */
export async function takeFile(
  context: Context,
  role: Role,
  file: Blob,
): Promise<void> {
  // The beginning of a larger file is no exercise.
  const text = file.size > FILE_MOST ? "" : await file.text();
  await takeExercise(context, role, text);
}

function dataOf({ link }: ExerciseState): string {
  return link.grade ?? link.exercise ?? "";
}

function begin(context: Context, role: Role, data: string): void {
  const { early = [] } = teacherOf(context) ?? {};
  set(context, {
    screen: "learn",
    back: undefined,
    playing: false,
    exercise:
      role === "student"
        ? { ...NO_STUDENT, link: { exercise: data } }
        : { ...NO_TEACHER, link: { grade: data }, early },
  });
}

/** Returns whether the screen still shows this exercise. */
function isHere({ store }: Context, role: Role, data: string): boolean {
  const { exercise } = store.getState();
  return exercise?.role === role && dataOf(exercise) === data;
}

function fail({ store }: Context, problem: ExerciseProblem): void {
  const { exercise } = store.getState();
  if (exercise) store.setState({ exercise: { ...exercise, problem } });
}

async function openText(
  context: Context,
  role: Role,
  data: string,
  text: string,
): Promise<void> {
  try {
    const view = await exerciseEngine(context).call("exercise", { text });
    const { exercise } = context.store.getState();
    if (!exercise || !isHere(context, role, data)) return;
    set(context, { exercise: { ...exercise, text, view, problem: undefined } });
    await (role === "student" ? nameStudent(context) : resume(context));
  } catch (thrown) {
    const why = problemOf(thrown);
    if (why === undefined || !isHere(context, role, data)) return;
    const isNewer =
      thrown instanceof EngineError && thrown.code === "unsupported";
    fail(
      context,
      isNewer ? { key: "problemNewer" } : { key: "problemWrong", why },
    );
  }
}

/** Begins with the name that this browser used last. A name that is typed already stays. */
async function nameStudent(context: Context): Promise<void> {
  const service = (await context.learn()).exercises;
  const { exercise } = context.store.getState();
  if (exercise?.role === "student" && exercise.name === "")
    await setName(context, service.lastName());
}

/** The name changes at once, as it is typed; what the browser keeps of it is looked up after that. */
export async function setName(context: Context, name: string): Promise<void> {
  const { exercise } = context.store.getState();
  if (exercise?.role !== "student") return;
  set(context, { exercise: { ...exercise, name, kept: 0 } });
  const service = (await context.learn()).exercises;
  const now = context.store.getState().exercise;
  if (now?.role !== "student" || now.name !== name || !now.view) return;
  const { digest, asked } = now.view;
  const kept = readAnswers(service.kept(progressKey(digest, name)), asked);
  const n = kept.filter(({ tries }) => tries > 0).length;
  set(context, { exercise: { ...now, kept: n } });
}

/** All actions of exercises: of a student, of a teacher who grades, and of one who asks. They load on use. */
import type { Context } from "../context";
import { teacherActions } from "./grade";
import { knownActions } from "./known";
import { makeActions } from "./make";
import { papersFor, spreadFor } from "./paper";
import { studentActions } from "./student";

export { showExercise, takeFile } from "./open";
export { takeFiles } from "./grade";

export function exerciseActions(context: Context) {
  return {
    student: studentActions(context),
    teacher: teacherActions(context),
    maker: {
      ...makeActions(context),
      papersFor: (text: string, names: readonly string[]) =>
        papersFor(context, text, names),
      spreadFor: (text: string, names: readonly string[]) =>
        spreadFor(context, text, names),
    },
    known: knownActions(context),
  };
}

export type MakerActions = ReturnType<typeof exerciseActions>["maker"];

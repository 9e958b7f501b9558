/** All actions of the screen of lessons. They load with the screen. */
import type { Sure } from "../../model/learn/progress";
import type { ProgramText } from "../../model/code/code";
import type { Language } from "../../model/texts/language";
import type { Context } from "../context";
import { showScreen } from "../screens";
import {
  answer,
  forget,
  goTo,
  loadProgress,
  patchLearn,
  patchQuestion,
  saveProgress,
  speak,
} from "./actions";
import { openInReplay } from "./replay";
import type { LessonPlace } from "./state";

export function learnActions(context: Context) {
  return {
    speak: (language: Language) => speak(context, language),
    goTo: (at: LessonPlace | undefined) => goTo(context, at),
    /** Chooses or types an answer; the verdict on another one goes. */
    give: (given: string) => {
      const question = context.store.getState().learn?.question;
      if (!question?.done) patchQuestion(context, { given, graded: undefined });
    },
    beSure: (sure: Sure) => patchQuestion(context, { sure }),
    hint: () => {
      const question = context.store.getState().learn?.question;
      if (question) patchQuestion(context, { hints: question.hints + 1 });
    },
    answer: () => answer(context),
    /** Runs the access without a right answer. */
    reveal: () => patchQuestion(context, { done: true }),
    forget: () => forget(context),
    saveProgress: () => saveProgress(context),
    loadProgress: (file: File) => loadProgress(context, file),
    print: async () => {
      const { printLesson } = await import("./print");
      await printLesson(context);
    },
    /** The print is done. */
    dropSheet: () => patchLearn(context, { sheet: undefined }),
    runPrograms: async (n: number | undefined) => {
      const { runPrograms } = await import("./programs");
      await runPrograms(context, n);
    },
    openPrograms: async (programs: readonly ProgramText[]) => {
      const { showPair } = await import("../code/draft");
      void showPair(context, programs);
      showScreen(context, { screen: "code" });
    },
    /** Opens the step in the replay; `changed` applies what the lesson suggests to change. */
    openInReplay: (changed: boolean) => openInReplay(context, changed),
  };
}

export type LearnActions = ReturnType<typeof learnActions>;

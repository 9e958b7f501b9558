/** What a student reads in an exercise. */
import { messages } from "../../model/texts/messages";
import { loader } from "../language/loader";

const CATALOGUES = {
  en: () => import("../../texts/en/exercise"),
  zh: () => import("../../texts/zh/exercise"),
  ko: () => import("../../texts/ko/exercise"),
};

export const loadExercise = loader(async (language) => {
  const { exercise } = await CATALOGUES[language]();
  return messages(language, exercise);
});

/** The texts of the screen Learn. */
import { messages } from "../../model/texts/messages";
import { loader } from "../language/loader";

const CATALOGUES = {
  en: () => import("../../texts/en/learn"),
  zh: () => import("../../texts/zh/learn"),
  ko: () => import("../../texts/ko/learn"),
};

export const loadLearn = loader(async (language) => {
  const { learn } = await CATALOGUES[language]();
  return messages(language, learn);
});

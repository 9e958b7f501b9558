/** The texts of the first screen. */
import { messages } from "../../model/texts/messages";
import { loader } from "../language/loader";

const CATALOGUES = {
  en: () => import("../../texts/en/welcome"),
  zh: () => import("../../texts/zh/welcome"),
  ko: () => import("../../texts/ko/welcome"),
};

export const loadWelcome = loader(async (language) => {
  const { welcome } = await CATALOGUES[language]();
  return messages(language, welcome);
});

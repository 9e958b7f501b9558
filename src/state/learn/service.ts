/** The files of lessons, and what the browser remembers about their reader. */
import type { ExerciseService } from "../exercise/service";
import type { Language } from "../../model/texts/language";

export interface LessonFile {
  /** The folder below `lessons/`. */
  readonly folder: string;
  readonly lesson: string;
  /** The words, and their language. */
  readonly text: string;
  readonly language: Language;
}

export interface LearnService {
  readonly exercises: ExerciseService;
  /** The files with the words in this language, or in English where a lesson is not translated. */
  readonly lessonFiles: (language: Language) => Promise<readonly LessonFile[]>;
  /** The language of the page. */
  readonly language: () => Language;
  /** The text that was kept; `undefined` before the first. */
  readonly keptProgress: () => string | undefined;
  readonly keepProgress: (text: string) => void;
}

/** The files of lessons, and what the browser remembers about their reader. */
export interface LessonFile {
  /** The folder below `lessons/`. */
  readonly folder: string;
  readonly lesson: string;
  /** The words in one language, and the name of their file: `en.md`. */
  readonly text: string;
  readonly textName: string;
}

export interface LearnService {
  readonly lessonFiles: () => readonly LessonFile[];
  /** The text that was kept; `undefined` before the first. */
  readonly keptProgress: () => string | undefined;
  readonly keepProgress: (text: string) => void;
}

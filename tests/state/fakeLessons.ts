/** Two short lessons, and a browser that remembers the reader's progress. */
import { fakeExercises } from "./fakeExercises";
import type { FakeExercises } from "./fakeExercises";
import type { LearnService, LessonFile } from "../../src/state/learn/service";

export interface FakeLessons extends LearnService {
  files: readonly LessonFile[];
  kept: string | undefined;
  readonly exercises: FakeExercises;
}

const step = (part: object = {}) => ({ at: 1, show: ["tlb"], ...part });

const LESSON = {
  id: "sets",
  minutes: 5,
  short: true,
  cpu: "intel-skylake-sp",
  trace: { lines: "load 0x0" },
  steps: [
    step({ before: true }),
    step({ ask: { kind: "set", of: "TLB", choices: 4 } }),
    step({ ask: { kind: "references" } }),
    step(),
    step(),
  ],
  change: { link: "cpu=amd-zen2&pages=2M" },
  claims: [{ name: "sets", expected: 4 }],
};

const TEXT = `# Sets
A page goes into one set.

## Sets
There are {=sets} [sets](term:set).

## Which set?
It looks in one.
? In which set does {address} look?
hint: Look at the page number.
hint: It ends in 3.
right: Set 3 of {page}.
wrong page-for-set: That is all of it.

## How many?
Count.
? How many references?
right: Three.

## Four
More.

## Five
End.
`;

/** The first lesson in Chinese. */
const CHINESE = TEXT.replace("# Sets", "# 组").replace(
  "Which set?",
  "哪一组？",
);

export function fakeLessons(): FakeLessons {
  const first: LessonFile = {
    folder: "01-sets",
    lesson: JSON.stringify(LESSON),
    text: TEXT,
    language: "en",
  };
  const second: LessonFile = {
    ...first,
    folder: "02-more",
    lesson: JSON.stringify({ ...LESSON, id: "more", short: false }),
    text: TEXT.replace("# Sets", "# More"),
  };
  const third: LessonFile = {
    ...first,
    folder: "03-loops",
    lesson: JSON.stringify({
      ...LESSON,
      id: "loops",
      short: false,
      trace: { loop: "columns" },
    }),
    text: TEXT.replace("# Sets", "# Loops"),
  };
  const lessons: FakeLessons = {
    files: [second, third, first],
    kept: undefined,
    exercises: fakeExercises(),
    lessonFiles: (language) =>
      Promise.resolve(
        lessons.files.map((file) => ({
          ...file,
          ...(language === "zh" &&
            file.folder === "01-sets" && { text: CHINESE, language }),
        })),
      ),
    language: () => "en",
    keptProgress: () => lessons.kept,
    keepProgress: (text) => (lessons.kept = text),
  };
  return lessons;
}

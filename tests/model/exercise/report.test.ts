/** Graded answers as counts, statistics and a file for an LMS. */
import { expect, test } from "vitest";
import type { GradedAnswer } from "../../../src/engine/generated/GradedAnswer";
import type { Report } from "../../../src/engine/generated/Report";
import type { Student } from "../../../src/engine/generated/Student";
import {
  gradesCsv,
  joinReports,
  mistakeBars,
  statisticsOf,
  studentRows,
} from "../../../src/model/exercise/report";

const answer = (part: Partial<GradedAnswer> = {}): GradedAnswer => ({
  question: 1,
  at: 6,
  right: true,
  answer: "3",
  given: "3",
  tries: 1,
  seconds: 9,
  ...part,
});

const student = (name: string, part: Partial<GradedAnswer> = {}): Student => ({
  file: "a.csv",
  line: 2,
  label: "s1",
  name,
  name_key: name.trim().toLowerCase(),
  program: "0.1.0",
  right: part.right === false ? 0 : 1,
  answers: [answer(part)],
});

const report = (
  students: readonly Student[],
  part: Partial<Report> = {},
): Report => ({
  title: "Sets",
  exercise: "0123456789ab",
  students: [...students],
  questions: [
    {
      question: 1,
      ask: { kind: "set", of: "TLB" },
      answers: students.length,
      right: students.filter(({ right }) => right > 0).length,
      mistakes: {},
      unexplained: 0,
    },
  ],
  unread: [],
  ...part,
});

const wrong = {
  right: false,
  given: "=1+1",
  mistake: "page-for-set",
} as const;

test("reports_of_batches_are_one_report", () => {
  const a = report([student("Ada")]);
  const b = report([student("Bo", wrong)], {
    questions: [
      {
        question: 1,
        ask: { kind: "set", of: "TLB" },
        answers: 2,
        right: 0,
        mistakes: { "page-for-set": 1 },
        unexplained: 1,
      },
    ],
  });
  const [question] = joinReports(a, joinReports(b, b)).questions;
  expect(question).toMatchObject({
    answers: 5,
    right: 1,
    mistakes: { "page-for-set": 2 },
    unexplained: 2,
  });
});

test("lines_of_one_student_are_marked", () => {
  const rows = studentRows(
    report([student("Ada L"), student("ada l"), student("Bo")]),
  );
  expect(rows.map(({ same }) => same)).toEqual([2, 2, 1]);
});

test("mistakes_are_sorted_by_number_and_unknown_ones_are_last", () => {
  const [question] = report([]).questions;
  if (!question) throw new Error("There is one question.");
  const bars = mistakeBars(
    {
      ...question,
      mistakes: { "page-for-set": 1, "offset-for-set": 3 },
      unexplained: 9,
    },
    (mistake) => `words of ${mistake}`,
  );
  expect(bars.map(({ text, n }) => `${n} ${text}`)).toEqual([
    "3 words of offset-for-set",
    "1 words of page-for-set",
    "9 No known mistake.",
  ]);
});

test("statistics_have_mean_median_and_what_sure_means", () => {
  const sure = student("Ada", { sure: true });
  const unsure = student("Bo", { ...wrong, sure: false });
  expect(statisticsOf(report([]))).toBe(undefined);
  expect(statisticsOf(report([sure, unsure, student("Cy")]))).toMatchObject({
    students: 3,
    mean: 2 / 3,
    median: 1,
    all: 2,
    sure: { right: 1, of: 1 },
    unsure: { right: 0, of: 1 },
  });
});

test("the_csv_has_a_row_for_each_line_and_no_formula", () => {
  const unread = {
    file: "a.csv",
    line: 4,
    start: "PW1.x",
    error: { code: "bad-trace" as const, message: "the line is cut" },
  };
  const text = gradesCsv(
    report([student("Ada, L", { sure: true }), student("Bo", wrong)], {
      unread: [unread],
    }),
    { missing: ["Cy"] },
  );
  expect(text.split("\n")).toEqual([
    "label,name,score,of,lines of this name,file,line,not graded,Q1,Q1 given,Q1 answer,Q1 mistake,Q1 sure,Q1 tries,Q1 seconds",
    's1,"Ada, L",1,1,1,a.csv,2,,1,3,3,,yes,1,9',
    "s1,Bo,0,1,1,a.csv,2,,0,'=1+1,3,page-for-set,,1,9",
    ",,,,,a.csv,4,the line is cut: PW1.x,,,,,,,",
    ",Cy,,,0,,,no line,,,,,,,",
    "",
  ]);
});

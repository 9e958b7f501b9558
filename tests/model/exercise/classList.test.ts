/** Graded lines next to the names of a class. */
import { expect, test } from "vitest";
import type { Report } from "../../../src/engine/generated/Report";
import type { Student } from "../../../src/engine/generated/Student";
import { checkClass, keepLines } from "../../../src/model/exercise/classList";
import type { Keep } from "../../../src/model/exercise/classList";

/** A line with one answer: `right`, or a mistake. */
const line = (name: string, at: number, wrong = "", label = ""): Student => ({
  file: "a.csv",
  line: at,
  label,
  name,
  name_key: name.trim().replace(/\s+/, " ").toLowerCase(),
  program: "0.1.0",
  right: wrong === "" ? 1 : 0,
  answers: [
    {
      question: 1,
      at: 6,
      right: wrong === "",
      answer: "3",
      given: "3",
      tries: 1,
      seconds: 9,
      ...(wrong === "page-for-set" && { mistake: wrong }),
    },
  ],
});

const report = (...students: Student[]): Report => ({
  title: "Sets",
  exercise: "0123456789ab",
  students,
  questions: [
    {
      question: 1,
      ask: { kind: "set", of: "TLB" },
      answers: students.length,
      right: 9,
      mistakes: {},
      unexplained: 9,
    },
  ],
  unread: [],
});

test.each<[Keep, string, number]>([
  ["all", "1 2 3 4", 9],
  ["best", "2 4", 1],
  ["last", "3 4", 0],
])("of_the_lines_of_a_name_%s_count", (keep, lines, right) => {
  const kept = keepLines(
    report(
      line("Ada", 1, "page-for-set"),
      line("Ada", 2),
      line(" ada", 3, "page-for-set"),
      line("Bo", 4, "other"),
    ),
    keep,
  );
  expect(kept.students.map((each) => each.line).join(" ")).toBe(lines);
  expect(kept.questions[0]?.right).toBe(right);
  if (keep === "last")
    expect(kept.questions[0]).toMatchObject({
      answers: 2,
      mistakes: { "page-for-set": 1 },
      unexplained: 1,
    });
});

test("a_class_list_names_who_is_missing_unknown_or_under_another_label", () => {
  const check = checkClass(
    report(
      line("ada  lovelace", 1, "", "17,Ada Lovelace"),
      line("Bo Li", 2, "", "18,Chen Wei,chen@x.edu"),
      line("Eve", 3, "", "Ada Lovelacer"),
    ),
    ["Ada Lovelace", "Bo Li", "Chen Wei"],
  );
  expect(check.missing).toEqual(["Chen Wei"]);
  expect(check.unknown.map(({ name }) => name)).toEqual(["Eve"]);
  expect(
    check.mislabelled.map(({ student, labelled }) => [student.name, labelled]),
  ).toEqual([["Bo Li", "Chen Wei"]]);
});

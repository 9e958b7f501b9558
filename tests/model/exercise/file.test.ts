/** The file of an exercise and its link: what a teacher chose, as JSON and as words of an address. */
import { expect, test } from "vitest";
import { packText, unpackText } from "../../../src/app/code/packText";
import {
  DEFAULT_MACHINE,
  DEFAULT_OS,
} from "../../../src/engine/generated/defaults";
import type { CpuModel } from "../../../src/engine/generated/CpuModel";
import {
  draftProblem,
  exerciseOf,
  exerciseText,
} from "../../../src/model/exercise/draft";
import type { Draft, Subject } from "../../../src/model/exercise/draft";
import {
  answerFileName,
  canonical,
  exerciseFileName,
  isExercise,
} from "../../../src/model/exercise/file";
import {
  MAX_LINK,
  MAX_TEXT,
} from "../../../src/engine/generated/exerciseRules";
import {
  dataIn,
  exerciseData,
  packedExercise,
  studentLink,
  teacherLink,
} from "../../../src/model/exercise/link";
import { compactLines } from "../../../src/model/exercise/lines";
import { decodePermalink } from "../../../src/model/permalink/permalink";

const draft: Draft = {
  title: " Sets ",
  asks: [{ kind: "set", of: "L1 TLB" }, { kind: "outcome" }],
  where: "walks",
  n: 2,
  hints: true,
  attempts: 3,
  choices: 4,
  locked: ["walk"],
};

// The code under test uses only these fields.
const model = { id: "toy", machine: DEFAULT_MACHINE } as CpuModel;

const subject: Subject = {
  cpu: "toy",
  model,
  machine: DEFAULT_MACHINE,
  os: DEFAULT_OS,
  cores: "one",
  at: 7,
};

/** An exercise as this version writes it, and its link: later versions must read both. */
const TEXT_OF_TODAY =
  '{"attempts":3,"choices":4,"cpu":"toy","hints":true,"locked":["walk"],"pagewalk":"exercise","questions":[{"among":"walks","ask":{"kind":"set","of":"L1 TLB"},"n":2},{"among":"walks","ask":{"kind":"outcome"},"n":2}],"title":"Sets","trace":{"lines":"load 0x1"},"version":1}';

const LINK_OF_TODAY =
  "1hc-xUsMwEEXRX8ncegsMVFtSp4Muk0IjL4nGtmSsdQjj8b8zSkFL94p7ircR3G2avaIvQryWFK2ir0KcVxQvPwjXlFvhy2rCWOJgPXriO4wDZ2EOF3tsxe62xFQN4Wu16qnkip42wlTyBX2YihDqgG4MKfco1RyhfKIcu8PH8Y1dyOjzLv_Rsnosk_2Bs-DJR0N5N2-9LyFaE2PK7RxjCf3h6d41c7OlppLRbv8F";

test("todays_link_stays_readable", async () => {
  expect(await unpackText(packedExercise(LINK_OF_TODAY), MAX_TEXT)).toBe(
    TEXT_OF_TODAY,
  );
});

test("an_exercise_is_canonical_json_without_what_is_usual", () => {
  const text = exerciseText(exerciseOf(draft, subject, { lines: "load 0x1" }));
  expect(text).toBe(TEXT_OF_TODAY);
  expect(isExercise(text)).toBe(true);
});

test("one_access_and_another_machine_are_written", () => {
  const file = exerciseOf(
    { ...draft, where: "this", attempts: undefined, locked: [] },
    {
      ...subject,
      machine: { ...DEFAULT_MACHINE, walkers: 2 },
      os: { ...DEFAULT_OS, default: "2M", virt: "ept" },
      cores: "tid",
    },
    { example: "chase" },
  );
  expect(file).toMatchObject({
    machine: { walkers: 2 },
    os: { default: "2M", virt: "ept" },
    cores: "tid",
    questions: [{ at: 7 }, { at: 7 }],
  });
  expect(Object.keys(file)).not.toContain("attempts");
  expect(Object.keys(file.os ?? {})).toEqual(["default", "virt"]);
});

test("a_link_holds_the_exercise_for_both_roles", async () => {
  const text = exerciseText(exerciseOf(draft, subject, { lines: "load 0x1" }));
  const data = exerciseData(await packText(text));
  const student = decodePermalink(`#${studentLink(data)}`);
  expect(student).toEqual({ screen: "learn", exercise: data });
  expect(decodePermalink(teacherLink(data)).grade).toBe(data);
  expect(decodePermalink("screen=learn&grade=").grade).toBe("");
  expect(await unpackText(packedExercise(data), MAX_TEXT)).toBe(text);
});

test.each([
  ["2abcdef", "newer"],
  ["1", "damaged"],
  ["", "damaged"],
  ["1ab cd", "damaged"],
  ["x1abc", "damaged"],
])("the_data_%j_is_%s", (data, problem) => {
  expect(() => packedExercise(data)).toThrow(
    expect.objectContaining({ problem }) as Error,
  );
});

test.each([
  ["https://host/p/?lang=zh#screen=learn&exercise=1abc_-9", "1abc_-9"],
  ["#screen=learn&grade=1abc", "1abc"],
  ["grade=1abc", "1abc"],
  [" 1abcdefghijklmnopqrstuvwxyz ", "1abcdefghijklmnopqrstuvwxyz"],
  ["hello", undefined],
  ["load 0x1000 8", undefined],
])("the_data_in_%j_is_%j", (text, data) => {
  expect(dataIn(text)).toBe(data);
});

test("a_thousand_accesses_fit_a_link_and_random_ones_do_not", async () => {
  const lengthOf = async (addresses: readonly number[]) => {
    const rows = addresses.map((each) => `load,0x${each.toString(16)},8`);
    const trace = { lines: ["kind,address,size", ...rows].join("\n") };
    const text = exerciseText(exerciseOf(draft, subject, trace));
    return studentLink(exerciseData(await packText(text))).length;
  };
  const places = Array.from({ length: 2000 }, (_, at) => at);
  const walk = places.slice(0, 1000).map((at) => 0x10000 + at * 64);
  expect(await lengthOf(walk)).toBeLessThan(MAX_LINK);
  const random = places.map((at) => (at * 2_654_435_761) % 2 ** 32);
  expect(await lengthOf(random)).toBeGreaterThan(MAX_LINK);
});

test.each<[string, Partial<Draft>]>([
  ["Write a title.", { title: "  " }],
  ["Choose at least one question.", { asks: [] }],
  [
    "A student gets at most 100 questions; these are 120.",
    { n: 20, asks: Array.from({ length: 6 }, () => ({ kind: "outcome" })) },
  ],
  ["Write a whole number of accesses from 1 to 20.", { n: 1.5 }],
  ["Write a whole number of accesses from 1 to 20.", { n: Number.NaN }],
  ["Write a whole number of accesses from 1 to 20.", { n: 21 }],
])("a_draft_says_%j", (problem, part) => {
  expect(draftProblem({ ...draft, ...part })).toBe(problem);
  expect(draftProblem(draft)).toBe(undefined);
});

test.each([
  ["Sets and victims!", "sets-and-victims.exercise.json"],
  ["页表", "页表.exercise.json"],
  ["..", "exercise.exercise.json"],
])("the_file_of_%j_is_%s", (title, file) => {
  expect(exerciseFileName(title)).toBe(file);
});

test("an_answer_file_has_the_name_of_the_student", () => {
  expect(answerFileName("Ada Lovelace")).toBe("Ada-Lovelace.pw1.txt");
  expect(answerFileName("김민수")).toBe("김민수.pw1.txt");
  expect(answerFileName("../..")).toBe("answers.pw1.txt");
});

test("canonical_json_sorts_keys_at_all_levels", () => {
  expect(
    canonical({ b: [1, { d: null, c: "ä" }], a: undefined, A: true }),
  ).toBe('{"A":true,"b":[1,{"c":"ä","d":null}]}');
});

test("lines_lose_columns_that_say_nothing_and_instruction_pointers", () => {
  const csv = [
    "kind,address,size,pid,tid,cpu,ip,operands",
    "load,0x1000,8,1,1,0,0x4000,",
    "store,0x2000,8,1,2,0,0x4004,",
  ].join("\n");
  expect(compactLines(`${csv}\n`)).toEqual({
    lines: "kind,address,size,tid\nload,0x1000,8,1\nstore,0x2000,8,2",
    lost: ["instruction pointers"],
  });
  const quoted = `${csv}\nmunmap,,,1,1,0,,"a,b"`;
  expect(compactLines(quoted)).toEqual({ lines: quoted, lost: [] });
});

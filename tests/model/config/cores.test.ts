import { expect, test } from "vitest";
import type { OpView } from "../../../src/engine/generated/OpView";
import {
  coreText,
  coresChoices,
  hasCores,
  shownCores,
  stepOn,
} from "../../../src/model/config/cores";
import { pdeHit } from "../../pictures/accesses";

test("there_is_a_choice_of_cores_where_a_trace_has_several_threads_or_processors", () => {
  expect(hasCores({ threads: 1, cpus: 1 }, "one")).toBe(false);
  expect(hasCores({ threads: 2, cpus: 1 }, "one")).toBe(true);
  expect(hasCores({ threads: 1, cpus: 4 }, "one")).toBe(true);
  // The new trace has one thread, but the user can still undo the earlier choice.
  expect(hasCores({ threads: 1, cpus: 1 }, "tid")).toBe(true);
});

test("what_would_be_one_core_is_no_choice_unless_it_was_made", () => {
  const values = (...given: Parameters<typeof coresChoices>) =>
    coresChoices(...given).map(({ value }) => value);
  expect(values("one", 12, 1)).toEqual(["one", "tid"]);
  expect(values("one", 12, 4)).toEqual(["one", "tid", "cpu"]);
  expect(values("cpu", 12, 1)).toEqual(["one", "tid", "cpu"]);
  expect(coresChoices("one", 12, 1)[1]?.text).toBe(
    "one core per thread: 12 cores",
  );
});

test("an_access_names_its_core_where_there_are_several", () => {
  const access = {
    kind: "load",
    address: "0x0",
    size: 8,
    pid: 1,
    tid: 41,
    cpu: 3,
    ip: null,
  } as const;
  const texts = (["one", "tid", "cpu"] as const).map((cores) =>
    coreText(cores, access),
  );
  expect(texts).toEqual(["", "thread 41", "processor 3"]);
});

const CORES = [
  { core: 41, active: false, pid: 7, in_use: [3, 0] },
  { core: 42, active: true, pid: 7, in_use: [5, 1] },
];

test("cores_that_have_done_something_can_be_looked_at", () => {
  const texts = (...given: Parameters<typeof shownCores>) =>
    shownCores(...given).map(({ text }) => text);
  const step = { cores: CORES };
  expect(texts(step, "one", undefined)).toEqual([]);
  expect(texts({}, "tid", undefined)).toEqual([]);
  expect(texts(step, "tid", undefined)).toEqual(["thread 41", "thread 42"]);
  expect(texts(step, "cpu", 43).at(-1)).toBe("processor 43, unused");
});

test("on_another_core_only_what_it_was_told_to_drop_has_happened", () => {
  const entry = {
    key: "0x4d0c",
    key_shift: 12,
    table: false,
    space: 0,
    filled_at: 1,
    used_at: 2,
    hits: 3,
  };
  const gone = { structure: 0, set: 1, way: 2, entry };
  const found = { core: 41, runs: true, dropped: [1, 0], entries: [gone] };
  // The fields of an operation that this test needs.
  const op = (cores: (typeof found)[]) =>
    ({ dropped: [0, 1], entries: [], stayed: [1], cores }) as unknown as OpView;
  const step = {
    ...pdeHit.step,
    cores: CORES,
    before: [op([]), op([found])],
  };
  expect(stepOn(step, undefined)).toBe(step);
  expect(stepOn(step, 42)).toBe(step);
  const other = stepOn(step, 41);
  expect(other.translations).toEqual([]);
  expect(other.in_use).toEqual([3, 0]);
  expect(other.before).toEqual([
    { dropped: [1, 0], entries: [gone], stayed: [], cores: [] },
  ]);
  expect(stepOn(step, 43).in_use.every((n) => n === 0)).toBe(true);
});

import { expect, test } from "vitest";
import { coreText, coresChoices, hasCores } from "../../src/model/cores";

test("there_is_a_choice_of_cores_where_a_trace_has_several_threads_or_processors", () => {
  expect(hasCores({ threads: 1, cpus: 1 }, "one")).toBe(false);
  expect(hasCores({ threads: 2, cpus: 1 }, "one")).toBe(true);
  expect(hasCores({ threads: 1, cpus: 4 }, "one")).toBe(true);
  // Another trace was loaded: the choice can be taken back.
  expect(hasCores({ threads: 1, cpus: 1 }, "tid")).toBe(true);
});

test("what_would_be_one_core_is_no_choice_unless_it_was_made", () => {
  const values = (...given: Parameters<typeof coresChoices>) =>
    coresChoices(...given).map(({ value }) => value);
  expect(values("one", 12, 1)).toEqual(["one", "tid"]);
  expect(values("one", 12, 4)).toEqual(["one", "tid", "cpu"]);
  expect(values("cpu", 12, 1)).toEqual(["one", "tid", "cpu"]);
  expect(coresChoices("one", 12, 1)[1]?.text).toBe(
    "a core for each thread: 12 cores",
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

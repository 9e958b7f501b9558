import { expect, test } from "vitest";
import type { Name, TaskName } from "../../src/engine/calls";
import { ruleOf, TASKS } from "../../src/engine/schedule";

const OTHERS: readonly Name[] = [
  "seek",
  "seekPair",
  "run",
  "find",
  "timeline",
  "configure",
  "analyse",
  "runWhole",
  "runRow",
];

/** Returns the other calls that may be done between two slices of a task. */
function check(name: TaskName): string {
  return OTHERS.filter(TASKS[name].passes).join(" ");
}

test("a_run_of_the_replay_lets_nothing_in", () => {
  expect(check("run")).toBe("");
});

test.each(["find", "timeline", "attribution", "experiment", "survey"] as const)(
  "%s_leaves_the_machine_alone_and_lets_seeks_in",
  (type) => expect(check(type)).toBe("seek"),
);

test("a_whole_run_is_put_off_for_everything_but_questions_and_others_like_it", () => {
  const before = "seek seekPair run find timeline configure";
  expect(check("runWhole")).toBe(before);
  expect(check("runRow")).toBe(before);
  expect(check("analyse")).toBe(`${before} runWhole runRow`);
});

test("two_machines_side_by_side_are_stepped_while_they_are_compared", () => {
  expect(check("comparePair")).toBe("seek seekPair run find timeline");
  // While a pair is being opened, it cannot be stepped.
  expect(check("openPair")).toBe("seek run find timeline");
});

test("a_replay_needs_the_small_module_only", () => {
  const small: Name[] = ["cpus", "open", "configure", "run", "seek", "find"];
  expect(small.filter((name) => !ruleOf(name).isSmall)).toEqual([]);
  expect(ruleOf("analyse").isSmall).toBeUndefined();
});

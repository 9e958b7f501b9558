import { expect, test } from "vitest";
import { sentence } from "../../../src/model/replay/sentence";
import { costOf, trail } from "../../../src/model/replay/trail";
import { nativeSteps } from "../../../src/model/walk/steps";
import { walkSummary } from "../../../src/model/walk/tables";
import { hashed, hashedWalk as walk } from "../../pictures/hashedWalk";

test("a_walk_of_hashed_tables_says_which_lines_it_read", () => {
  const { machine, step, translation } = walk();
  expect(walkSummary(translation, machine)).toBe(hashed.said);
  expect(walkSummary(translation, machine, true)).toBe("3 lines read");
  expect(sentence({ step }, machine)).toContain(
    `${hashed.said} and found frame`,
  );
  expect(sentence({ step }, machine)).not.toContain("skipped");
  expect(trail(translation, machine).map(({ text }) => text)).toEqual([
    "L1 dTLB miss",
    "STLB miss",
    "walk, 3 references",
  ]);
  expect(costOf(translation, machine, "load").parts).toContain(
    "to read the PTE-ECPT entry",
  );
});

test("the_step_of_the_entry_lists_every_line", () => {
  const { machine, translation } = walk();
  const [read, page, ...rest] = nativeSteps({
    translation,
    machine,
    kind: "load",
  });
  expect(read?.title).toBe("PTE-ECPT entry 3");
  const lines = read?.lines.filter(({ term }) => /^PTE \d/.test(term));
  expect(lines?.map(({ term }) => term)).toEqual(["PTE 0", "PTE 1", "PTE 2"]);
  expect(lines?.[1]?.text).toContain("holds the page");
  expect(page?.kind).toBe("page");
  expect(rest).toEqual([]);
});

test("a_hit_saves_the_lines_that_a_walk_would_read", () => {
  const { machine, translation } = walk();
  const tlb = translation.tlb.map((lookup) => ({ ...lookup, hit: true }));
  const levels = translation.levels.map((level) => ({
    ...level,
    state: "skipped-by-tlb" as const,
  }));
  const [step] = nativeSteps({
    translation: { ...translation, outcome: "l1-hit", tlb, levels, refs: 0 },
    machine,
    kind: "load",
  });
  const saves = step?.lines.find(({ term }) => term === "saves");
  expect(saves?.text).toBe("the reads of all lines that may hold the page");
});

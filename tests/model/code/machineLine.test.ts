import { expect, test } from "vitest";
import { machineLine } from "../../../src/model/code/machineLine";
import { cpu, machineView, report } from "../../state/fakeData";

type Run = Parameters<typeof machineLine>[0];

/** A run that used each array of `arrays`, but the last. */
function ran(
  replacements: readonly string[],
  coalescing?: Run["setup"]["machine"]["coalescing"],
): Run {
  const os = { default: "4K", regions: [], frames: "sequential" as const };
  const machine = { ...cpu("small", "Small").machine };
  const view = machineView({ machine, os });
  const structures = [...replacements, "lru"].map((replacement, at) => ({
    name: `T${at}`,
    role: at === 0 ? ("l1" as const) : ("l2" as const),
    serves: ["load" as const],
    pages: ["4K"],
    sets: at === 0 ? 1 : 128,
    ways: 12,
    index: "low-bits" as const,
    replacement,
    inside: null,
  }));
  const counts = { lookups: 9, evictions: 0, invalidations: 0 };
  return {
    machine: { ...view, name: "Small", structures },
    setup: { machine: { ...machine, ...(coalescing && { coalescing }) }, os },
    report: {
      ...report(9),
      structures: structures.map(({ name }, at) => ({
        ...counts,
        name,
        level: at === 0 ? 1 : 2,
        hits: at < replacements.length ? 1 : 0,
        misses: 0,
        fills: 0,
      })),
    },
  };
}

test("the_sizes_are_those_of_the_arrays_that_the_run_used", () => {
  const { of, arrays, notes } = machineLine(ran(["lru", "lru"]));
  expect(of).toBe("Small, 4K pages");
  expect(arrays).toEqual([
    "T0: 12 entries, fully associative",
    "T1: 1,536 entries, 12 ways",
  ]);
  expect(notes).toEqual([]);
});

test("a_note_says_what_makes_the_counts_differ_from_those_of_lru", () => {
  const { notes } = machineLine(ran(["lru", "mru3-plru4"]));
  expect(notes).toEqual([
    "T1 (mru3-plru4) does not replace by LRU, so some pages can stay while a loop goes over more pages than fit.",
  ]);
});

test("pages_that_share_an_entry_are_said_for_their_size_only", () => {
  const joins = (of: Run["setup"]["machine"]["coalescing"]) =>
    machineLine(ran(["lru"], of)).notes.map((note) => note.slice(0, 33));
  expect(joins({ "4K": 4 })).toEqual(["Up to 4 neighbouring pages of 4K "]);
  expect(joins({ "2M": 4 })).toEqual([]);
});

import { expect, test } from "vitest";
import type { ChangeView } from "../../../src/engine/generated/ChangeView";
import type { EffectsView } from "../../../src/engine/generated/EffectsView";
import type { FieldView } from "../../../src/engine/generated/FieldView";
import type { OpView } from "../../../src/engine/generated/OpView";
import { changeOf, lossesOf } from "../../../src/model/replay/effectMarks";
import {
  changedBits,
  changeText,
  coresOf,
  dropsOf,
  happenings,
  moreChanges,
} from "../../../src/model/replay/effects";
import { skylake } from "../../pictures/fixtures";

/** Fields from texts: `63 XD 0x1`, `1 W 0x0`, `51:12 frame 0x10`. */
function fields(...texts: string[]): FieldView[] {
  return texts.map((text) => {
    const [bits = "", name = "", value = ""] = text.split(" ");
    const [high = 0, low = high] = bits.split(":").map(Number);
    const rest = { meaning: "", address: false, violated: false };
    return { name, high, low, value, ...rest };
  });
}

const PAGE = fields("63 XD 0x0", "51:12 frame 0x10", "1 W 0x1", "0 P 0x1");
const READ_ONLY = fields("63 XD 0x1", "51:12 frame 0x10", "1 W 0x0", "0 P 0x1");
const ABSENT = fields("63:1 63:1 0x0", "0 P 0x0");

function change(was: FieldView[], now: FieldView[]): ChangeView {
  const value = (of: FieldView[]) => (of === ABSENT ? "0x0" : "0x10003");
  return {
    host: false,
    level: 1,
    table_name: "PT",
    index: 1,
    entry_address: "0x203008",
    address: "0x1000",
    was: value(was),
    now: value(now),
    was_fields: was,
    now_fields: now,
  };
}

const NONE: EffectsView = {
  dropped: [],
  entries: [],
  stayed: [],
  cores: [],
  changes: [],
  n_changes: 0,
  n_of_others: 0,
};

const range = { start: "0x1000", length: "0x1000", flush: true } as const;

function op(effects: Partial<EffectsView>, isSwitch = false): OpView {
  return {
    op: isSwitch
      ? { op: "mov-cr3", pcid: 2, keep: false }
      : { op: "munmap", ...range },
    text: "",
    pid: 7,
    is_switch: isSwitch,
    ...NONE,
    ...effects,
  };
}

const step = (
  before: OpView[],
  acts?: Parameters<typeof happenings>[0]["acts"],
) =>
  ({ before, after: [], ...(acts && { acts }) }) as unknown as Parameters<
    typeof happenings
  >[0];

test.each([
  ["a right that is taken", PAGE, READ_ONLY, ["XD 0→1", "W 1→0"]],
  ["nothing", PAGE, PAGE, []],
  ["a page that goes", PAGE, ABSENT, ["frame 0x10→–", "W 1→–", "P 1→0"]],
  ["a page that comes", ABSENT, PAGE, ["frame –→0x10", "W –→1", "P 0→1"]],
])("bits_of_%s", (_, was, now, expected) => {
  const bits = changedBits(change(was, now));
  expect(bits.map((bit) => `${bit.name} ${bit.was}→${bit.now}`)).toEqual(
    expected,
  );
});

test("an_entry_that_comes_or_goes_is_told_as_a_whole", () => {
  expect(changeText(change(PAGE, READ_ONLY))).toBe("XD 0→1, W 1→0");
  expect(changeText(change(PAGE, ABSENT))).toBe("0x10003 → empty");
  expect(changeText(change(ABSENT, PAGE))).toBe("empty → 0x10003");
});

test("operations_and_acts_are_listed_in_order_without_first_touches", () => {
  const all = happenings(
    step(
      [op({}, true), op({})],
      [
        { act: "copy", address: "0x1000", ...NONE },
        { act: "map", address: "0x1000", ...NONE },
      ],
    ),
    skylake,
  );
  expect(all.map(({ title, by }) => `${title} by ${by}`)).toEqual([
    "switch to process 7 by process 7, before this access",
    "munmap of 4.0 KiB at 0x1000 by process 7, before this access",
    "copy on write, 0x1000 by the OS, at this access",
  ]);
});

test("structures_tell_what_they_lost_and_what_is_global_only_where_it_is_spared", () => {
  const effects = { dropped: [0, 0, 2], stayed: [0, 3, 1] };
  const found = (isSwitch: boolean) =>
    happenings(step([op(effects, isSwitch)]), skylake).flatMap((each) =>
      dropsOf(each, skylake).map(
        ({ name, dropped, stayed }) => `${name} −${dropped} +${stayed}`,
      ),
    );
  const [, second = "", third = ""] = skylake.structures.map((s) => s.name);
  expect(found(true)).toEqual([`${second} −0 +3`, `${third} −2 +1`]);
  expect(found(false)).toEqual([`${third} −2 +0`]);
});

test("a_core_is_interrupted_if_it_runs_the_process", () => {
  const cores = [
    { core: 2, runs: true, dropped: [1, 0, 1] },
    { core: 3, runs: true, dropped: [0] },
    { core: 4, runs: false, dropped: [1] },
  ];
  const found = coresOf({ ...NONE, cores }, skylake, "cpu");
  expect(found.map(({ name, how, what }) => `${name} ${how}: ${what}`)).toEqual(
    [
      "processor 2 interrupted: 2 invalidated: L1 iTLB 4K 1, L1 dTLB 4K 1",
      "processor 3 interrupted: held none of them",
      "processor 4 runs another process: 1 invalidated: L1 iTLB 4K 1",
    ],
  );
});

test("entries_that_are_not_listed_are_counted", () => {
  const changes = [change(PAGE, ABSENT)];
  expect(
    moreChanges({ ...NONE, changes, n_changes: 9, n_of_others: 3 }),
  ).toEqual(["and 5 more entries", "3 entries in tables of others"]);
  expect(moreChanges({ ...NONE, changes, n_changes: 1 })).toEqual([]);
});

test("marks_in_the_pictures_are_those_of_all_that_happened", () => {
  const mapped = change(ABSENT, PAGE);
  const protects = change(PAGE, READ_ONLY);
  const around = step(
    [op({ dropped: [1, 2] }), op({ dropped: [0, 3], changes: [protects] })],
    [{ act: "map", address: "0x1000", ...NONE, changes: [mapped] }],
  );
  expect([lossesOf(around, [0]), lossesOf(around, [0, 1])]).toEqual([1, 6]);
  // A first mapping is shown as the fault that it is.
  expect(changeOf(around, { entry_address: "0x203008" })).toBe(protects);
  expect(changeOf(around, { entry_address: "0x203010" })).toBeNull();
});

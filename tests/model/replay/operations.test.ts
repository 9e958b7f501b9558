import { expect, test } from "vitest";
import type { EntryView } from "../../../src/engine/generated/EntryView";
import type { Op } from "../../../src/engine/generated/Op";
import type { OpView } from "../../../src/engine/generated/OpView";
import type { StepView } from "../../../src/engine/generated/StepView";
import { endingOf } from "../../../src/model/replay/noTranslation";
import {
  droppedText,
  removedFrom,
  leftText,
  opTitle,
} from "../../../src/model/replay/operations";
import { sentence } from "../../../src/model/replay/sentence";
import { skylake } from "../../pictures/fixtures";

const entry: EntryView = {
  key: "0x10",
  key_shift: 12,
  table: false,
  space: 0,
  filled_at: 0,
  used_at: 3,
  hits: 1,
};

function view(op: Op, more: Partial<OpView> = {}): OpView {
  return {
    op,
    text: "as in the trace",
    pid: 1,
    is_switch: false,
    dropped: [],
    entries: [],
    stayed: [],
    cores: [],
    changes: [],
    n_changes: 0,
    n_of_others: 0,
    ...more,
  };
}

const invlpg = view(
  { op: "invlpg", address: "0x10000" },
  {
    dropped: [0, 0, 1, 0, 0, 1],
    entries: [{ structure: 2, set: 0, way: 3, entry }],
  },
);

const range = { start: "0x10000", length: "0x2000" } as const;
const rights = { read: true, write: false, execute: false, key: null } as const;
const titles: readonly [op: Op, title: string][] = [
  [{ op: "mov-cr3", pcid: null, keep: false }, "MOV CR3"],
  [
    { op: "mov-cr3", pcid: 2, keep: true },
    "MOV CR3, PCID 2, nothing invalidated",
  ],
  [{ op: "invlpg", address: "0x1000" }, "INVLPG 0x1000"],
  [
    { op: "invpcid", scope: "all-but-global", pcid: null, address: "0x0" },
    "INVPCID of all except global pages",
  ],
  [{ op: "set-control", bit: "pge", on: false }, "PGE off"],
  [
    { op: "mprotect", ...range, ...rights, flush: true },
    "mprotect of 8.0 KiB at 0x10000 to read",
  ],
  [
    { op: "mprotect", ...range, ...rights, read: false, flush: true },
    "mprotect of 8.0 KiB at 0x10000 to no access",
  ],
  [
    { op: "munmap", ...range, flush: false },
    "munmap of 8.0 KiB at 0x10000, no TLB flush",
  ],
  [{ op: "fork", child: 9, flush: true }, "process 1 forks process 9"],
  [{ op: "invept", scope: "all", eptp: null }, "INVEPT of all contexts"],
  [
    { op: "invept", scope: "single", eptp: "0x204000" },
    "INVEPT of one context, EPT pointer 0x204000",
  ],
  [
    { op: "invvpid", scope: "vpid", vpid: 2, address: "0x0" },
    "INVVPID of one VPID, VPID 2",
  ],
  [{ op: "vm-switch", vm: 2, vpid: 5 }, "switch to virtual machine 2, VPID 5"],
];

test.each(titles)("%j is told as %s", (op, title) => {
  expect(opTitle(view(op))).toBe(title);
});

test("a_switch_that_the_trace_does_not_have_is_told_as_one", () => {
  const op = { op: "mov-cr3", pcid: 3, keep: true } as const;
  expect(opTitle(view(op, { is_switch: true, pid: 7 }))).toBe(
    "switch to process 7",
  );
});

test("what_an_operation_dropped_is_told_by_structure", () => {
  expect(droppedText(invlpg, skylake)).toBe(
    "2 entries invalidated: 1 of L1 dTLB 4K, 1 of STLB",
  );
  expect(droppedText({ dropped: [0, 0] }, skylake)).toBe("nothing invalidated");
});

test("slots_lose_their_entries_to_operations_and_to_shootdowns", () => {
  const left = [
    { structure: 2, set: 1, way: 0, entry, why: "shot-down" },
  ] as const;
  const step = { before: [invlpg], after: [] };
  expect(removedFrom(step, { left: [...left] }, 2)).toEqual([
    {
      set: 0,
      way: 3,
      key: "0x10",
      keyShift: 12,
      why: "by INVLPG 0x10000",
      isOperation: true,
    },
    {
      set: 1,
      way: 0,
      key: "0x10",
      keyShift: 12,
      why: "its mapping changed: shootdown",
      isOperation: false,
    },
  ]);
  expect(removedFrom(step, { left: [] }, 5)).toEqual([]);
  expect(leftText(left[0], skylake)).toBe(
    "0x10 left L1 dTLB 4K set 1 way 0: its mapping changed: shootdown",
  );
});

const ended: StepView = {
  index: 9,
  access: {
    kind: "load",
    address: "0x800000000000",
    size: 8,
    pid: 1,
    tid: 0,
    cpu: 0,
    ip: null,
  },
  translations: [],
  outcome: "fault",
  in_use: [],
  table_pages: 0,
  root: "0x0",
  exception: {
    name: "#GP",
    code: null,
    address: "0x800000000000",
    meaning: "the address is not canonical",
  },
  before: [invlpg],
  after: [],
};

test("an_access_without_a_translation_says_why", () => {
  expect(sentence({ step: ended }, skylake)).toBe(
    "Before it: INVLPG 0x10000 (2 entries invalidated: 1 of L1 dTLB 4K, 1 of STLB). Access 9: load of 8 bytes at 0x800000000000. The access ends with #GP: the address is not canonical.",
  );
  const page = { ...ended.exception, name: "#PF", code: "0x7" };
  expect(
    endingOf({
      ...ended,
      exception: { ...page, address: "0x0", meaning: "no" },
    })?.title,
  ).toBe("#PF 0x7");
  const none = { ...ended, exception: null };
  expect(endingOf(none)?.title).toBe("bus error");
  const prefetch = { ...ended.access, kind: "prefetch" } as const;
  expect(endingOf({ ...none, access: prefetch })).toMatchObject({
    title: "prefetch dropped",
    isException: false,
    cause: "the page is not mapped, and a prefetch never faults",
  });
});

test.each<readonly [Op, string]>([
  [{ op: "mov-cr3", pcid: 2, keep: false }, "write of TTBR0, ASID 2"],
  [{ op: "invlpg", address: "0x1000" }, "TLBI VAAE1 0x1000"],
  [
    { op: "invpcid", scope: "pcid", pcid: 3, address: "0x0" },
    "TLBI ASIDE1, ASID 3",
  ],
  [{ op: "vm-switch", vm: 2, vpid: 5 }, "switch to virtual machine 2, VMID 5"],
  [{ op: "invept", scope: "all", eptp: null }, "TLBI ALLE1"],
])("on_arm_an_operation_has_words_of_arm %#", (op, title) => {
  expect(opTitle(view(op), { tables: "arm" })).toBe(title);
});

test("on_arm_a_fault_is_one_of_translation_or_of_permission", () => {
  const access = { kind: "load" } as StepView["access"];
  const fault = (code: string | null) =>
    endingOf(
      {
        access,
        exception: { name: "#PF", code, address: "0x0", meaning: "no" },
        translations: [],
      },
      { tables: "arm" },
    )?.title;
  expect(fault("0x6")).toBe("translation fault of a store at EL0");
  expect(fault("0x7")).toBe("permission fault of a store at EL0");
  expect(fault("0x11")).toBe("permission fault of a fetch at EL1");
  expect(fault(null)).toBe("translation fault");
});

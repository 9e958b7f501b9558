/** A one-dimensional walk as steps, each written out: input step, expected text. */
import { describe, expect, test } from "vitest";
import type { StepView } from "../../../src/engine/generated/StepView";
import type { MachineView } from "../../../src/engine/generated/MachineView";
import { fieldBefore, setByAccess } from "../../../src/model/walk/entry";
import { endingOf } from "../../../src/model/replay/noTranslation";
import { textOf } from "../../../src/model/replay/parts";
import { refusedWalk } from "../../../src/model/walk/refused";
import { nativeSteps, stepSentence } from "../../../src/model/walk/steps";
import {
  bigPage,
  blackboard,
  coldFault,
  fiveLevel,
  hugePage,
  l1Hit,
  pdeHit,
  pml4eHit,
  zenWalk,
} from "../../pictures/accesses";

function walkOf(step: StepView, machine: MachineView) {
  const refused = refusedWalk(step, machine);
  const translation = step.translations[0] ?? refused?.translation;
  if (!translation) throw new Error("the access has no walk");
  const { kind } = step.access;
  return { translation, machine, kind, refusal: refused?.refusal ?? null };
}

function text(step: StepView, machine: MachineView): string {
  return nativeSteps(walkOf(step, machine))
    .map(({ kind, title, lines }) =>
      [
        `${kind}: ${title}`,
        ...lines.map(({ term, text }) => `  ${term} ${text}`),
      ].join("\n"),
    )
    .join("\n");
}

/** Compares all steps of a walk with a file. */
test.each([
  ["pdeHit", pdeHit],
  ["pml4eHit", pml4eHit],
  ["coldFault", coldFault],
  ["l1Hit", l1Hit],
  ["bigPage", bigPage],
  ["hugePage", hugePage],
  ["fiveLevel", fiveLevel],
  ["zenWalk", zenWalk],
  ["blackboard", blackboard],
])("the_steps_of_%s", async (name, { step, machine }) => {
  await expect(`${text(step, machine)}\n`).toMatchFileSnapshot(
    `snapshots/steps-${name}.txt`,
  );
});

test("a_step_is_one_sentence", () => {
  const { step, machine } = pdeHit;
  const walk = walkOf(step, machine);
  const said = nativeSteps(walk).map((each) => stepSentence(each, walk));
  expect(said).toEqual([
    "PDE cache knows the PT: 3 references saved. key VA 0x7f3a1c2b5e48 >> 21 = 0x3f9d0e1; holds PT at 0x5f07000; saves 3 references: PML4, PDPT and PD.",
    "reference 1, PT entry 181, read from L2 in 14 cycles. index VA 0x7f3a1c2b5e48 >> 12 & 511 = 181; at 0x5f07000 + 181 × 8 = 0x5f075a8; value 0x800000001388b067  P W U A D XD; gives frame 0x1388b << 12 = 0x1388b000.",
    "Physical address = frame + offset. frame 0x1388b << 12 = 0x1388b000; offset VA 0x7f3a1c2b5e48 & 0xfff = 0xe48; address 0x1388b000 + 0xe48 = 0x1388be48.",
  ]);
});

describe("a_walk_that_is_refused", () => {
  const { step, machine } = coldFault;
  const [translation] = step.translations;
  const levels = (translation?.levels ?? []).map((level) => ({
    ...level,
    served_by: null,
    cycles: null,
  }));
  const refusedAt = (n: number, field: string): StepView => ({
    ...step,
    translations: [],
    exception: {
      name: "#PF",
      code: "0x7",
      address: step.access.address,
      meaning: "the page may not be written",
    },
    refused: {
      levels: levels.slice(0, n).map((level, at) =>
        at === n - 1
          ? {
              ...level,
              fields: level.fields.map((each) =>
                each.name === field ? { ...each, value: "0x0" } : each,
              ),
            }
          : level,
      ),
      field,
    },
  });
  test("ends_at_the_entry_that_refused", () => {
    const walk = walkOf(refusedAt(4, "W"), machine);
    const steps = nativeSteps(walk);
    expect(steps).toHaveLength(4);
    expect(steps.at(-1)).toMatchObject({
      kind: "read",
      title: "PT entry 181 denies the access",
    });
    expect(steps.at(-1)?.lines.at(-1)).toEqual({
      term: "ends",
      text: "W is 0: the page may not be written",
      mono: false,
    });
    expect(walk.refusal?.rest).toBe("the page");
  });
  test("names_what_it_did_not_reach", () => {
    const walk = walkOf(refusedAt(2, "P"), machine);
    expect(nativeSteps(walk)).toHaveLength(2);
    expect(walk.refusal).toMatchObject({
      field: "P is 0",
      text: "P is 0: the PDPT entry is not present",
      verb: "is not present",
      rest: "2 tables and the page",
    });
  });
  test("names_the_field_as_the_entry_format_does", () => {
    const asP = refusedAt(2, "P");
    const step: StepView = {
      ...asP,
      refused: {
        field: "P",
        levels: (asP.refused?.levels ?? []).map((level) => ({
          ...level,
          fields: level.fields.map((each) =>
            each.name === "P" ? { ...each, name: "V" } : each,
          ),
        })),
      },
    };
    expect(walkOf(step, machine).refusal).toMatchObject({
      field: "V is 0",
      text: "V is 0: the PDPT entry is not valid",
      verb: "is not valid",
    });
    expect(textOf(endingOf(step, machine)?.sentence ?? [])).toBe(
      "Page fault, not served: V is 0 in the PDPT entry. The access ends with #PF, error code 0x7 (user, write, present).",
    );
  });
  test("needs_the_entries_from_the_core", () => {
    const { refused, ...without } = refusedAt(4, "W");
    expect(refused).toBeDefined();
    expect(refusedWalk(without, machine)).toBeNull();
  });
});

test("the_access_names_the_flags_that_it_set", () => {
  const level = pdeHit.step.translations[0]?.levels.at(-1);
  if (!level) throw new Error("a walk has a leaf");
  expect(setByAccess(level)).toBe("");
  const value = BigInt(level.value);
  const was = (bits: bigint) => `0x${(value & ~bits).toString(16)}`;
  expect(setByAccess({ ...level, was: was(0x20n) })).toBe("this access set A");
  expect(setByAccess({ ...level, was: was(0x60n) })).toBe(
    "this access set A and D",
  );
  // The type of an EPT entry is a word; an access never changes it.
  expect(fieldBefore({ high: 5, low: 3, value: "WB" }, "0x30")).toBeNull();
});

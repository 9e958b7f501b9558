/** A walk of hashed page tables, which reads three lines at the same time. */
import type { ExceptionView } from "../../src/engine/generated/ExceptionView";
import type { HashedView } from "../../src/engine/generated/HashedView";
import type { RefusedView } from "../../src/engine/generated/RefusedView";
import type { StepView } from "../../src/engine/generated/StepView";
import type { TranslationView } from "../../src/engine/generated/TranslationView";
import * as accesses from "./accesses";

/** A line of a walk. */
export const line = (way: number, hit: boolean, table = "PTE-ECPT") => ({
  table,
  way,
  line: 47,
  address: "0x200bc0",
  hit,
  resized: false,
  read: { served_by: "DRAM", cycles: 200 },
  said: `line 47 at 0x200bc0, from DRAM in 200 cycles: ${hit ? "holds the page" : "not the page"}`,
});

export const hashed: HashedView = {
  walk: "size",
  said: "With headers of PMD walk cache, the size walk read 3 lines of PTE-ECPT at once",
  lines: [line(0, false), line(1, true), line(2, false)],
};

/** The walk of a store to a page without the right to write, or of a load from a page that no line holds. */
export function refusedHashedWalk(isAbsent = false) {
  const { machine, step, translation } = hashedWalk();
  const levels = translation.levels.map((level) => ({
    ...level,
    table: "0x200bc1",
    fields: level.fields.map((field) =>
      field.name === "W" ? { ...field, value: "0x0" } : field,
    ),
    served_by: null,
    cycles: null,
  }));
  const lines = [0, 1, 2].map((way) => {
    const hit = way === 1 && !isAbsent;
    const address = `0x200bc${way}`;
    const said = `line 47 at ${address}: ${hit ? "holds the page" : "not the page"}`;
    return { ...line(way, hit), address, read: null, said };
  });
  const refused: RefusedView = {
    levels: isAbsent ? [] : levels,
    field: isAbsent ? "P" : "W",
    hashed: { ...hashed, lines },
  };
  const exception: ExceptionView = {
    name: "#PF",
    code: isAbsent ? "0x4" : "0x7",
    address: step.access.address,
    meaning: isAbsent
      ? "the page is not mapped"
      : "the page may not be written",
  };
  const ended: StepView = { ...step, translations: [], exception, refused };
  return { machine, step: ended };
}

/** A walk, as on a machine with hashed page tables. */
export function hashedWalk() {
  const { machine, step } = accesses.pdeHit;
  const [first] = step.translations;
  const leaf = first?.levels.at(-1);
  if (!first || !leaf) throw new Error("a scene has a walk");
  const translation: TranslationView = {
    ...first,
    hashed,
    levels: [
      { ...leaf, table_name: "PTE-ECPT", index: 3, order: 2, hashed: true },
    ],
    refs: 3,
  };
  return {
    machine,
    step: { ...step, translations: [translation] },
    translation,
  };
}

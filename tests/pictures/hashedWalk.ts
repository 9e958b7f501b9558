/** A walk of hashed page tables, which reads three lines at the same time. */
import type { HashedView } from "../../src/engine/generated/HashedView";
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
  served_by: "DRAM",
  cycles: 200,
  said: `line 47 at 0x200bc0, from DRAM in 200 cycles: ${hit ? "holds the page" : "not the page"}`,
});

export const hashed: HashedView = {
  walk: "size",
  said: "With headers of PMD walk cache, the size walk read 3 lines of PTE-ECPT at once",
  lines: [line(0, false), line(1, true), line(2, false)],
};

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

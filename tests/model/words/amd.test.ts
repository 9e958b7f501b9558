import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { MachineConfig } from "../../../src/engine/generated/MachineConfig";
import { hostCacheName } from "../../../src/model/tlb/names";
import { tablesOf, wordsOf } from "../../../src/model/words/words";

const FOLDER = "sim-core/cpus/";
const models = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .map((file) => {
    const { machine } = JSON.parse(readFileSync(FOLDER + file, "utf8")) as {
      machine: MachineConfig;
    };
    return [file.replace(".json", ""), machine] as const;
  });

const TABLES: readonly (readonly [vendors: RegExp, tables: string])[] = [
  [/^(amd|hygon)-/, "amd"],
  [/^intel-/, "x86"],
];

test.each(TABLES)("models_%s_have_the_words_of_%s", (vendors, tables) => {
  const named = models.filter(([id]) => vendors.test(id));
  expect(named.length).toBeGreaterThan(7);
  expect(named.filter(([, machine]) => tablesOf(machine) !== tables)).toEqual(
    [],
  );
});

/** Returns all words, and the results of functions for a name. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "function")
    return textsOf((value as (name: string) => unknown)("pde"));
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(textsOf)
    : [];
}

const INTEL = /\bEPT|VPID|INVEPT|exit qualification/;

test("amd_has_nested_paging_and_no_ept", () => {
  // The styles are for choosing among vendors.
  const { styles, ...words } = wordsOf({ tables: "amd" });
  expect(Object.keys(styles)).toContain("pwc-2d");
  expect(textsOf(words).filter((text) => INTEL.test(text))).toEqual([]);
  expect(textsOf(wordsOf({ tables: "x86" })).join()).toMatch(INTEL);
  expect(words.violation).toEqual(["nested page fault", "nested page faults"]);
  expect(words.exception("EPT misconfiguration", null)).toBe(
    "nested page fault of a reserved bit",
  );
  expect(["invvpid", "invept", "invlpg"].map(words.counted)).toEqual([
    "flushes of ASIDs",
    "flushes of nested tables",
    "invlpg",
  ]);
  expect(hostCacheName("EPT pde", { tables: "amd" })).toBe("NPT PDE cache");
});

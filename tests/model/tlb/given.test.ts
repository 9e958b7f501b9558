import { expect, test } from "vitest";
import type { Given } from "../../../src/engine/generated/Given";
import { cameText } from "../../../src/model/tlb/array";
import { givenKeys } from "../../../src/model/tlb/given";
import { teaching } from "../../pictures/fixtures";

test.each<[name: string, given: Given | undefined, keys: bigint[]]>([
  ["no_state", undefined, []],
  ["a_page", { tlb: [{ page: "0x2b" }] }, [0x2bn]],
  ["a_set_and_a_tag", { tlb: [{ set: "0x3", tag: "0x3" }] }, [0xfn]],
  ["an_invalid_entry", { tlb: [{ set: "0x3", tag: "0x3", valid: false }] }, []],
])("the_given_keys_of_%s", (_name, given, keys) => {
  expect([...givenKeys(given, teaching)]).toEqual(keys);
});

test("a_given_entry_came_at_no_access", () => {
  expect(cameText(null, 1)).toBe("given before the trace, was hit once");
  expect(cameText(0, 0)).toBe("came at access 0, was never hit");
});

import { expect, expectTypeOf, test } from "vitest";
import type {
  AccessIndex,
  BinIndex,
  CssPixels,
  DevicePixels,
  RowIndex,
} from "../../../src/model/shared/units";

test("a_plain_number_enters_any_unit", () => {
  const bin: BinIndex = 3;
  expectTypeOf<number>().toExtend<BinIndex>();
  expect(bin + 1).toBe(4);
});

test("one_unit_is_not_another", () => {
  expectTypeOf<BinIndex>().not.toExtend<RowIndex>();
  expectTypeOf<AccessIndex>().not.toExtend<BinIndex>();
  expectTypeOf<CssPixels>().not.toExtend<DevicePixels>();
});

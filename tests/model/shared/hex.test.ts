import { expect, test } from "vitest";
import {
  binary,
  bitField,
  hex,
  hexGrouped,
  hexGroups,
  hexTail,
} from "../../../src/model/shared/hex";

const VA = "0x7f3a1c2b5e48";

test("plain_hex_can_be_copied", () => {
  expect(hex(VA)).toBe(VA);
  expect(hex(0x7f3a_1c2b_5e48n)).toBe(VA);
  expect(hex("0x00ff")).toBe("0xff");
});

test.each([
  [VA, "0x7f3a 1c2b 5e48"],
  ["0x5f07000", "0x5f0 7000"],
  ["0xe48", "0xe48"],
  ["0x0", "0x0"],
  [0xffff_ffff_8110_0000n, "0xffff ffff 8110 0000"],
])("%s is grouped %s", (address, text) => {
  expect(hexGrouped(address)).toBe(text);
  expect(hexGroups(address).join("")).toBe(hex(address));
});

test.each([
  ["0x7f3a1c2b5", 3, "…2b5"],
  ["0x2b5", 3, "0x2b5"],
  ["0x5", 3, "0x5"],
])("%s with room for %s digits is %s", (address, digits, text) => {
  expect(hexTail(address, digits)).toBe(text);
});

test("bits_keep_their_leading_zeros", () => {
  expect(binary(181, 9)).toBe("010110101");
  expect(binary(0, 12)).toBe("000000000000");
});

test("bits_beyond_the_field_are_cut_off", () => {
  expect(binary(0x3ff, 9)).toBe("111111111");
});

test("the_fields_of_an_address_are_its_table_indexes", () => {
  const fields = [39, 30, 21, 12].map((shift) => bitField(VA, shift, 9));
  expect([...fields, bitField(VA, 0, 12)]).toEqual([254, 232, 225, 181, 0xe48]);
});

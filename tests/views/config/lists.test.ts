import { expect, test } from "vitest";
import {
  readBySize,
  readNumbers,
  writeBySize,
  writeNumbers,
} from "../../../src/views/config/lists";

test("numbers_are_read_as_they_are_written_and_with_commas", () => {
  for (const text of ["9 9 9 9", "9, 9,9  9"])
    expect(readNumbers(text)).toEqual({ value: [9, 9, 9, 9] });
  expect(writeNumbers([9, 9, 9, 9])).toBe("9 9 9 9");
  expect(readNumbers("")).toEqual({ value: [] });
  expect(readNumbers("9 nine")).toEqual({
    problem: "“nine” is not a number: write numbers such as 9 9 9 9.",
  });
});

test("numbers_by_page_size_are_read_as_people_write_them", () => {
  const sizes = { "4K": 16, "2M": 16 };
  for (const text of ["4K: 16, 2M: 16", "4k=16 2m=16", "4K 16,2M×16"])
    expect(readBySize(text)).toEqual({ value: sizes });
  expect(writeBySize(sizes)).toBe("4K: 16, 2M: 16");
  expect(readBySize(" ")).toEqual({ value: {} });
  for (const text of ["4K", "4K: x", "4X: 3", "4K: 16, 2M"])
    expect(readBySize(text)).toHaveProperty("problem");
});

import { expect, test } from "vitest";
import type { PagePopularity } from "../../../src/engine/generated/PagePopularity";
import {
  fewestText,
  popularityCsv,
  popularityRows,
} from "../../../src/model/whatif/popularity";

/** 40 pages with one use, two with five and seven, one with 88. */
const found: PagePopularity = {
  pages: 43,
  uses: 140,
  groups: [
    { least: 1, pages: 40, uses: 40 },
    { least: 4, pages: 2, uses: 12 },
    { least: 64, pages: 1, uses: 88 },
  ],
  fewest: [
    { percent: 50, pages: 1 },
    { percent: 90, pages: 29 },
    { percent: 99, pages: 42 },
  ],
};

test("groups_are_named_by_the_uses_that_their_pages_can_have", () => {
  expect(popularityRows(found)).toEqual([
    { uses: "1", pages: 40, share: "28.6 %", part: 40 / 88 },
    { uses: "4 – 7", pages: 2, share: "8.6 %", part: 12 / 88 },
    { uses: "64 – 127", pages: 1, share: "62.9 %", part: 1 },
  ]);
});

test("the_text_says_how_few_pages_get_most_uses", () => {
  expect(fewestText(found)).toBe(
    "1 of 43 pages get 50 % of all uses, 29 get 90 %, 42 get 99 %.",
  );
});

test("the_table_has_a_row_for_each_group", () => {
  expect(popularityCsv(found)).toBe(
    "least uses of a page,pages,uses\n1,40,40\n4,2,12\n64,1,88\n",
  );
  expect(popularityCsv(undefined).split("\n")).toHaveLength(2);
});

import { expect, test } from "vitest";
import {
  bodyHeight,
  mapHeight,
  rowPitch,
  tlbHeights,
} from "../../../src/model/tlb/heights";
import { skylake, teaching, zen } from "../../pictures/fixtures";

test("arrays_of_four_and_of_eight_rows_are_equally_high", () => {
  const { rows } = tlbHeights(skylake, 688);
  expect([4, 8].map((n) => n * rowPitch(n, rows))).toEqual([120, 120]);
});

test("a_machine_with_four_rows_at_most_is_drawn_as_designed", () => {
  expect(tlbHeights(zen, 680)).toMatchObject({ rows: 96, map: 84 });
  expect(rowPitch(4, 96)).toBe(24);
});

test("what_the_first_level_takes_the_map_below_gives", () => {
  const { map, first, second } = tlbHeights(skylake, 680, true);
  expect(map).toBe(40);
  expect(first + second).toBeLessThanOrEqual(tlbHeights(zen, 680).first + 216);
  // A screen that is not low has space for rows of the map: twelve of 7 pixels in half a desktop screen.
  expect(tlbHeights(skylake, 600).map).toBe(66);
  expect(tlbHeights(skylake, 680).map).toBe(84);
});

test("a_machine_without_a_second_level_gives_its_space_to_the_first", () => {
  const { rows, second } = tlbHeights(teaching, 680);
  expect([rows, second]).toEqual([192, 0]);
  expect(rowPitch(4, rows)).toBe(48);
});

test("a_wide_panel_draws_larger", () => {
  const plain = bodyHeight(tlbHeights(skylake, 688));
  expect(bodyHeight(tlbHeights(skylake, 480))).toBeLessThanOrEqual(plain);
  expect(bodyHeight(tlbHeights(skylake, 930))).toBeGreaterThan(plain);
});

test("maps_stay_bands", () => {
  expect([1, 4, 8, 12, 32].map((rows) => mapHeight(rows, 84))).toEqual([
    40, 40, 56, 84, 84,
  ]);
});

test("a_low_screen_gives_up_the_opened_set_and_nothing_of_the_first_level", () => {
  const plain = tlbHeights(skylake, 480);
  const low = tlbHeights(skylake, 480, true);
  expect(low.first).toBe(plain.first);
  expect(bodyHeight(low)).toBeLessThanOrEqual(310);
  expect(bodyHeight(plain) - bodyHeight(low)).toBeGreaterThan(60);
});

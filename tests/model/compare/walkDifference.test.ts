import { expect, test } from "vitest";
import { walkDifference } from "../../../src/model/compare/walkDifference";

const bins = {
  from: 100,
  to: 135,
  width: 10,
  left_walks: [5, 0, 3, 1],
  right_walks: [1, 2, 0, 1],
};

test.each([
  [100, "0 before 100"],
  [109, "0 before 100"],
  [110, "-4 before 110"],
  [125, "-2 before 120"],
  [134, "-5 before 130"],
  // Cursors before and after the shown window.
  [7, "0 before 100"],
  [999, "-5 before 130"],
])(
  "at_access_%s_the_right_is_apart_by_%s_at_the_border_before_it",
  (at, found) => {
    const { by, walks } = walkDifference(bins, at);
    expect(`${walks} before ${by}`).toBe(found);
  },
);

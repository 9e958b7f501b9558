import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { HugeAdvice } from "../../../src/engine/generated/HugeAdvice";
import { Verdict } from "../../../src/views/whatif/Verdict";

const interval = { low: 0.1, high: 0.2 };
const first_touches = { small_faults: 4, huge_faults: 2, more_ms: interval };
const advice: Pick<HugeAdvice, "verdict" | "remedies"> = {
  remedies: [
    {
      by: "hugetlbfs",
      of: "all memory of malloc",
      commands: ["sysctl vm.nr_hugepages=2", "GLIBC_TUNABLES=x ./program"],
      text: "98 fewer walks",
      huge_pages: 2,
      first_touches,
    },
  ],
  verdict: {
    decision: "worth",
    huge_pages: 2,
    instructions: 100,
    bases: [
      { frames: "sequential", walks: 101, first_walks: 5, cycles: 80_800 },
    ],
    net: interval,
    translation: interval,
    saving: { walks: 98, cycles: 78_800, share: interval, ms: interval },
    first_touches,
    text: "Huge pages are worth it.",
    assumed: ["The clock is 3 GHz."],
  },
};

test("the_verdict_and_each_way_are_the_words_of_the_analysis", () => {
  render(<Verdict advice={advice} />);
  expect(screen.getByText("Huge pages are worth it.")).toBeTruthy();
  expect(screen.getByText("The clock is 3 GHz.")).toBeTruthy();
  expect(
    screen
      .getAllByRole("listitem", { hidden: true })
      .map(({ textContent }) => textContent),
  ).toEqual([
    "The clock is 3 GHz.",
    expect.stringContaining(
      "all memory of malloc: 98 fewer walkssysctl vm.nr_hugepages=2",
    ),
  ]);
  expect(screen.getAllByRole("button", { hidden: true })).toHaveLength(2);
});

test("ways_that_save_nothing_are_one_sentence", () => {
  const { rerender } = render(<Verdict advice={advice} />);
  expect(screen.queryByText(/save nothing/)).toBeNull();
  const useless_ways = "These ways would save nothing: madvise ([heap]).";
  rerender(<Verdict advice={{ ...advice, useless_ways }} />);
  expect(screen.getByText(useless_ways)).toBeTruthy();
});

test("a_part_of_a_trace_has_the_reason_and_the_ways", () => {
  const { container, rerender } = render(
    <Verdict advice={{ remedies: advice.remedies, no_verdict: "No." }} />,
  );
  expect(screen.getByText("No.")).toBeTruthy();
  expect(screen.queryByText("The clock is 3 GHz.")).toBeNull();
  expect(screen.getAllByRole("button", { hidden: true })).toHaveLength(2);
  // While simulations run, there is neither.
  rerender(<Verdict advice={{ remedies: [] }} />);
  expect(container.textContent).toBe("");
});

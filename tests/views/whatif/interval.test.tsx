import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { UncertaintyReport } from "../../../src/engine/generated/UncertaintyReport";
import { IntervalPart } from "../../../src/views/whatif/IntervalPart";
import type { AskedInterval } from "../../../src/views/whatif/IntervalPart";

const run = (cycles: number) => ({ walks: 10, cycles, overlapped: cycles / 2 });

const report: UncertaintyReport = {
  model: run(1000),
  low: { changes: [], ...run(800) },
  high: { changes: [], ...run(1800) },
  parameters: [
    {
      path: "memory.dram",
      value: 200,
      reason: "50 to 100 ns.",
      runs: [{ value: 400, ...run(1800) }],
      effect: 800,
      overlapped_effect: 400,
    },
  ],
  left_out: [],
};

function show(intervals: readonly AskedInterval[], isOn = true) {
  const calls = { onSwitch: vi.fn(), onCancel: vi.fn(), onAgain: vi.fn() };
  const { container } = render(
    <IntervalPart isOn={isOn} isModel intervals={intervals} {...calls} />,
  );
  return { ...calls, text: () => container.textContent };
}

test("the_switch_asks_for_the_interval", () => {
  const { onSwitch, text } = show([], false);
  fireEvent.click(screen.getByRole("checkbox"));
  expect(onSwitch).toHaveBeenCalledWith(true);
  expect(text()).toBe(" Interval of all cycles");
});

test("the_interval_stands_with_what_drives_it_while_the_other_is_simulated", () => {
  const { text, onCancel } = show([
    { label: "before", asked: { status: "done", value: report } },
    { label: "after", asked: { status: "running", done: 0.25 } },
  ]);
  expect(text()).toContain("before800 to 1,800−20.0 % to +80.0 %");
  expect(text()).toContain("memory.dram drives it (400: +80.0 %)");
  const bar = screen.getByRole("progressbar");
  expect(bar.getAttribute("aria-valuenow")).toBe("25");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onCancel).toHaveBeenCalled();
});

test("a_cancelled_interval_can_be_simulated_after_all", () => {
  const { onAgain } = show([
    { label: "as configured", asked: { status: "cancelled" } },
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Simulate it" }));
  expect(onAgain).toHaveBeenCalled();
});

// @vitest-environment jsdom
import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Panel, Pending } from "../../../src/views/whatif/Panel";

const NOTE = "Of the whole trace, though the run counts only a part of it.";

test.each([
  [true, 1],
  [false, 0],
])("a_panel_of_the_whole_trace_%s_says_so", (isOfWhole, n) => {
  render(
    <Panel title="Misses" isOfWhole={isOfWhole}>
      numbers
    </Panel>,
  );
  expect(screen.queryAllByText(NOTE)).toHaveLength(n);
});

test("what_is_worked_out_can_be_cancelled_and_begun_again", () => {
  const onCancel = vi.fn();
  const onAgain = vi.fn();
  const pending = (status: "running" | "cancelled") => (
    <Pending
      what="Misses of every size"
      asked={status === "running" ? { status, done: 0.5 } : { status }}
      onCancel={onCancel}
      onAgain={onAgain}
    />
  );
  const { rerender } = render(pending("running"));
  screen.getByRole("button", { name: "Cancel" }).click();
  expect(onCancel).toHaveBeenCalledOnce();
  rerender(pending("cancelled"));
  expect(screen.getByRole("alert").textContent).toContain("cancelled");
  screen.getByRole("button", { name: "Work it out" }).click();
  expect(onAgain).toHaveBeenCalledOnce();
});

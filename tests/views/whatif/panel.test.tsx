// @vitest-environment jsdom
import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Panel, Pending } from "../../../src/views/whatif/Panel";

test.each([
  ["whole", ["Of the whole trace, though the run counts only a part of it."]],
  [
    "part",
    [
      "Of the accesses that the run counts; those of its warm-up fill what is empty at first.",
    ],
  ],
  [undefined, []],
] as const)("a_panel_of_the_%s_says_so", (of, notes) => {
  render(
    <Panel title="Misses" of={of}>
      numbers
    </Panel>,
  );
  const found = screen.queryAllByText(/^Of the/);
  expect(found.map(({ textContent }) => textContent)).toEqual(notes);
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

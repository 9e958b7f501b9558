import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Panel, Pending } from "../../../src/views/whatif/Panel";

test.each([
  ["whole", ["Of the whole trace, although the run counts only a part of it."]],
  [
    "part",
    ["Of the counted accesses; the warm-up before them fills the structures."],
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
  screen.getByRole("button", { name: "Compute it" }).click();
  expect(onAgain).toHaveBeenCalledOnce();
});

import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { SavedRun } from "../../../src/model/compare/savedRun";
import { savedRow } from "../../../src/model/compare/savedTable";
import { SavedPage } from "../../../src/views/compare/SavedPage";
import type { SavedPageProps } from "../../../src/views/compare/SavedPage";
import { report, tinyMachine } from "../../pictures/runData";

const run = (id: string, walks: number, trace = "ls"): SavedRun => ({
  id,
  name: `run ${id}`,
  note: "",
  date: 1e12,
  cpu: "none",
  setup: {
    machine: tinyMachine,
    os: { default: "4K", regions: [], frames: "sequential" },
  },
  trace: { name: trace, hash: trace, link: { trace } },
  report: { ...report, walks: { ...report.walks, walks } },
});

const ROWS = [run("a", 1000), run("b", 1250), run("c", 7, "chase")].map(
  (each) => savedRow([], each),
);

const calls = {
  onSave: vi.fn(),
  onOpen: vi.fn(),
  onCompare: vi.fn(),
  onRename: vi.fn(),
  onDelete: vi.fn(() => Promise.resolve(true)),
  onPutBack: vi.fn(),
};
beforeEach(() => vi.clearAllMocks());

const show = (part: Partial<SavedPageProps> = {}) =>
  render(
    <SavedPage
      rows={ROWS}
      unreadable={[]}
      problem={undefined}
      deleted={0}
      canSave
      {...calls}
      {...part}
    />,
  );

const pick = (name: string) =>
  fireEvent.click(screen.getByRole("checkbox", { name: `Select ${name}` }));
const press = (name: string) =>
  fireEvent.click(screen.getByRole("button", { name }));
const names = (table = "Saved runs") =>
  within(screen.getByRole("table", { name: table }))
    .getAllByRole("rowheader")
    .map(({ textContent }) => textContent);

test("each_column_has_a_name", () => {
  show();
  for (const head of screen.getAllByRole("columnheader"))
    expect(head.textContent).not.toBe("");
});

test("the_bars_and_the_facts_are_of_the_selected_runs_if_there_are_any", () => {
  show();
  expect(names("Cost of each run")).toEqual(["run a", "run b", "run c"]);
  screen.getByRole("region", { name: "Newest run" });
  pick("run c");
  pick("run b");
  expect(names("Cost of the selected runs")).toEqual(["run b", "run c"]);
  const facts = screen.getByRole("region", { name: "Selected run" });
  expect(within(facts).getByText("walks").nextSibling?.textContent).toBe(
    "1,250",
  );
});

test("two_runs_of_one_trace_are_compared_in_the_order_of_their_choice", () => {
  show();
  pick("run b");
  press("Compare");
  expect(calls.onCompare).not.toHaveBeenCalled();
  pick("run a");
  press("Compare");
  expect(calls.onCompare).toHaveBeenCalledWith("b", "a");
});

test("runs_of_different_traces_are_not_compared_and_why_is_said", () => {
  show();
  pick("run a");
  pick("run c");
  press("Compare");
  expect(calls.onCompare).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "Compare" }).title).toBe(
    "These are different traces: select two runs of one trace",
  );
});

test("a_baseline_gives_the_others_of_its_trace_a_percentage", () => {
  show();
  pick("run a");
  press("Baseline");
  expect(names()).toEqual(["run abaseline", "run b", "run c"]);
  const row = (name: RegExp) => screen.getByRole("row", { name });
  expect(within(row(/^Select run b/)).getByText("+25.0 %")).toBeTruthy();
  expect(within(row(/^Select run c/)).queryByText(/%/)).toBeNull();
  press("No baseline");
  expect(names()[0]).toBe("run a");
});

test("runs_of_one_trace_are_shown_and_those_that_are_not_are_not_chosen", () => {
  show();
  pick("run c");
  fireEvent.change(screen.getByLabelText("Trace"), {
    target: { value: "ls" },
  });
  expect(names()).toEqual(["run a", "run b"]);
  expect(screen.getByText("None selected")).toBeTruthy();
});

test("those_that_are_chosen_are_deleted_and_can_be_put_back", () => {
  const { rerender } = show();
  pick("run a");
  pick("run c");
  press("Delete");
  expect(calls.onDelete).toHaveBeenCalledWith(["a", "c"]);
  rerender(
    <SavedPage
      rows={ROWS.slice(1, 2)}
      unreadable={[]}
      problem={undefined}
      deleted={2}
      canSave
      {...calls}
    />,
  );
  expect(screen.getByText("2 runs were deleted.")).toBeTruthy();
  press("Undo");
  expect(calls.onPutBack).toHaveBeenCalledOnce();
});

test("those_that_could_not_be_deleted_stay_chosen", async () => {
  calls.onDelete.mockResolvedValueOnce(false);
  show();
  pick("run a");
  press("Delete");
  await act(() => Promise.resolve());
  expect(screen.getByText("1 selected")).toBeTruthy();
  press("Delete");
  expect(await screen.findByText("None selected")).toBeTruthy();
});

test("a_run_that_cannot_be_read_is_named_and_can_be_deleted", () => {
  show({ rows: [], unreadable: [{ id: "x", name: "old" }] });
  expect(screen.getByText(/^The saved run “old” cannot be read/)).toBeTruthy();
  press("Delete old");
  expect(calls.onDelete).toHaveBeenCalledWith(["x"]);
});

test("an_empty_table_says_what_it_is_for_and_has_one_action", () => {
  show({ rows: [] });
  expect(screen.getByText(/^No saved runs yet/)).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
  press("Save this run");
  expect(calls.onSave).toHaveBeenCalledOnce();
});

test("where_nothing_can_be_saved_only_why_is_said", () => {
  show({ rows: [], problem: "No runs can be saved: no space." });
  expect(screen.getByRole("alert").textContent).toBe(
    "No runs can be saved: no space.",
  );
  expect(screen.queryByText(/^No saved runs yet/)).toBeNull();
});

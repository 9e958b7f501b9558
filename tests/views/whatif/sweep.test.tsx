import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import { withDefaults } from "../../../src/model/config/defaults";
import type { SweepRow } from "../../../src/model/whatif/sweep";
import { SweepForm } from "../../../src/views/whatif/SweepForm";
import { SweepResults } from "../../../src/views/whatif/SweepResults";

const fields = [
  { field: "machine.l2[0].entries", label: "STLB, entries", values: "8, 16" },
  { field: "pages", label: "Pages", values: "4K, 2M" },
];

function form(part: object = {}) {
  const calls = {
    onChange: vi.fn(),
    onRun: vi.fn(),
    onCancel: vi.fn(),
    onSave: vi.fn(),
  };
  const [first] = fields;
  render(
    <SweepForm
      axes={first ? [{ field: first.field, values: first.values }] : []}
      fields={fields}
      spec="{}"
      traceFile="matmul-24.csv"
      problem={undefined}
      isRunning={false}
      {...calls}
      {...part}
    />,
  );
  return calls;
}

test("a_field_that_is_chosen_brings_its_values_and_another_is_added", () => {
  const { onChange } = form();
  fireEvent.change(screen.getByLabelText("Field"), {
    target: { value: "pages" },
  });
  const pages = { field: "pages", values: "4K, 2M" };
  expect(onChange).toHaveBeenLastCalledWith([pages]);
  fireEvent.click(screen.getByRole("button", { name: "Add a field" }));
  expect(onChange).toHaveBeenLastCalledWith([
    { field: "machine.l2[0].entries", values: "8, 16" },
    pages,
  ]);
});

test("any_field_can_be_typed_and_keeps_the_values", () => {
  const { onChange } = form();
  fireEvent.change(screen.getByLabelText("Field"), {
    target: { value: "machine.seed" },
  });
  expect(onChange).toHaveBeenLastCalledWith([
    { field: "machine.seed", values: "8, 16" },
  ]);
});

test("a_sweep_is_run_saved_and_cancelled", () => {
  const { onRun, onSave } = form();
  fireEvent.click(screen.getByRole("button", { name: "Run the sweep" }));
  fireEvent.click(screen.getByRole("button", { name: "Save sweep.json" }));
  expect([onRun, onSave].map((f) => f.mock.calls.length)).toEqual([1, 1]);
});

test("the_file_that_the_command_line_looks_for_is_named", () => {
  form();
  expect(screen.getByText("matmul-24.csv").tagName).toBe("CODE");
  form({ traceFile: undefined });
  expect(screen.getAllByText("matmul-24.csv")).toHaveLength(1);
});

test("what_is_under_way_can_be_cancelled_only", () => {
  const { onCancel } = form({ isRunning: true });
  expect(screen.queryByRole("button", { name: "Run the sweep" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onCancel).toHaveBeenCalledOnce();
});

test("values_that_are_none_say_so_and_cannot_be_run", () => {
  form({ spec: undefined, problem: "Give values" });
  expect(screen.getByText("Give values").getAttribute("role")).toBe("status");
  const run = screen.getByRole<HTMLButtonElement>("button", {
    name: "Run the sweep",
  });
  expect(run.disabled).toBe(true);
});

test("each_row_opens_as_a_replay_and_one_that_failed_says_why", () => {
  const setup = {
    machine: withDefaults({ l1: [{ entries: 8 }] }),
    os: { default: "4K", regions: [], frames: "sequential" },
  } as SweepRow["setup"];
  const report = { walks: { walks: 1234 } } as RunReport;
  const rows: SweepRow[] = [
    { row: 0, at: ["8"], setup, cpu: undefined, report, error: undefined },
    {
      row: 1,
      at: ["9"],
      setup,
      cpu: undefined,
      report: undefined,
      error: "No such sets.",
    },
  ];
  const onOpen = vi.fn();
  render(
    <SweepResults
      names={["STLB, entries"]}
      rows={rows}
      counter="walks"
      onOpen={onOpen}
    />,
  );
  fireEvent.click(
    screen.getByRole("button", { name: "8: 1,234 walks. Open as a replay" }),
  );
  expect(onOpen).toHaveBeenCalledWith(rows[0]);
  expect(screen.getByText("No such sets.")).toBeTruthy();
  expect(screen.getByText("× 1 row: No such sets.")).toBeTruthy();
});

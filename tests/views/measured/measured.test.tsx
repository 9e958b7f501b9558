import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { CounterView } from "../../../src/engine/generated/CounterView";
import type { Measured } from "../../../src/engine/generated/Measured";
import { MeasuredPage } from "../../../src/views/measured/MeasuredPage";
import type { Given } from "../../../src/views/measured/MeasuredPage";

function counter(event: string, part: Partial<CounterView>): CounterView {
  return {
    name: { full: event, pmu: "", event, modifiers: "" },
    cgroup: null,
    state: "counted",
    value: 100,
    unit: "",
    running: null,
    is_estimate: false,
    variance: null,
    counters: 1,
    missing: 0,
    meaning: null,
    note: null,
    beside: null,
    ...part,
  };
}

const VIEW: Measured = {
  form: "text",
  of: "'app'",
  runs: 3,
  elapsed_s: 1.5,
  intervals: 2,
  family: { id: "amd-zen", name: "AMD Zen", from: "events" },
  counters: [
    counter("walks", { is_estimate: true, running: 31.25, variance: 0.5 }),
    counter("lost", { state: "not-counted", value: null }),
    counter("absent", { state: "not-supported", value: null }),
  ],
  shares: [
    {
      what: "Walk cycles of all cycles",
      of: "",
      unit: "share",
      measured: 0.25,
      simulated: null,
      is_upper_bound: true,
      is_estimate: true,
      events: ["walks", "cycles"],
      note: "at most: walks overlap",
    },
  ],
  over_time: {
    ends: [1, 2],
    intervals_per_point: 1,
    events: [{ name: "walks", unit: "", values: [40, 60], is_estimate: false }],
  },
  notes: ["Something is so"],
  unread: { lines: 1, first: "???", first_line: 4 },
};

const GIVEN: Given = {
  name: "mine.txt",
  text: "the text",
  family: undefined,
  view: VIEW,
  problem: undefined,
  example: undefined,
};

const example = { id: "one", title: "One", about: "An example.", text: "1" };

function show(given: Given | undefined) {
  const calls = {
    onText: vi.fn(),
    onFile: vi.fn(),
    onExample: vi.fn(),
    onFamily: vi.fn(),
    onClear: vi.fn(),
  };
  render(
    <MeasuredPage
      given={given}
      families={[
        { id: "amd-zen", name: "AMD Zen" },
        { id: "arm", name: "Arm" },
      ]}
      run="chase (complete) on Zen 2"
      replayAddress="#access=1"
      vendor="amd"
      examples={[example]}
      {...calls}
    />,
  );
  return calls;
}

test("nothing_given_shows_examples_and_the_commands_of_the_machine", () => {
  const { onExample, onText } = show(undefined);
  fireEvent.click(screen.getByRole("button", { name: "One" }));
  expect(onExample).toHaveBeenCalledWith(example);
  expect(screen.getAllByText(/ls_l1_d_tlb_miss\.all:u,/)).toHaveLength(2);
  fireEvent.click(screen.getByRole("radio", { name: "Arm" }));
  expect(screen.getByText(/l1d_tlb_refill:u/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Read the text" }));
  expect(onText).not.toHaveBeenCalled();
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "mine" } });
  fireEvent.click(screen.getByRole("button", { name: "Read the text" }));
  expect(onText).toHaveBeenCalledWith("mine");
});

test("an_example_is_marked_and_leaves_the_field_to_the_users_own_text", () => {
  const { onExample } = show({ ...GIVEN, example });
  const results = screen.getByRole("region", { name: "Results" });
  expect(results.textContent).toMatch(/^Example: One\. An example\./);
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("");
  expect(screen.queryByRole("button", { name: "Clear" })).toBeNull();
  const button = screen.getByRole("button", { name: "One" });
  expect(button.getAttribute("aria-pressed")).toBe("true");
  fireEvent.click(button);
  expect(onExample).toHaveBeenCalledWith(example);
});

test("counters_say_what_is_scaled_what_was_not_counted_and_how_far_runs_differ", () => {
  show(GIVEN);
  const table = within(screen.getByRole("table", { name: "Counters" }));
  const cells = (name: string) =>
    within(table.getByRole("row", { name: new RegExp(`^${name}`) }))
      .getAllByRole("cell")
      .map(({ textContent }) => textContent);
  expect(cells("walks")).toEqual(["~100", "± 0.50 %", "31.25 %"]);
  expect(cells("lost")).toEqual(["not counted", "", ""]);
  expect(cells("absent")).toEqual(["not supported", "", ""]);
  const results = screen.getByRole("region", { name: "Results" });
  expect(results.textContent).toContain("mean of 3 runs");
  expect(results.textContent).toContain("Something is so.");
  expect(results.textContent).toContain("the first is line 4: ???");
});

test("the_time_of_walks_is_an_upper_bound_and_says_so", () => {
  show(GIVEN);
  expect(screen.getByText("≤ ~25.0 %")).toBeTruthy();
  expect(screen.getByText("at most: walks overlap")).toBeTruthy();
});

test("the_family_can_be_changed_and_its_reason_is_shown", () => {
  const { onFamily } = show(GIVEN);
  expect(screen.getByText("The event names show it.")).toBeTruthy();
  const picker = screen.getByRole("combobox", { name: "Event names of" });
  fireEvent.change(picker, { target: { value: "arm" } });
  expect(onFamily).toHaveBeenCalledWith("arm");
  fireEvent.change(picker, { target: { value: "" } });
  expect(onFamily).toHaveBeenLastCalledWith(undefined);
});

test("one_cursor_goes_over_all_charts", () => {
  show(GIVEN);
  const slider = screen.getByRole("slider", { name: "Interval" });
  expect(slider.getAttribute("aria-valuetext")).toBe(
    "0.00 – 1.00 s: 40.0 per s",
  );
  fireEvent.change(slider, { target: { value: "1" } });
  expect(screen.getByText(/1\.00 – 2\.00 s: 60\.0 per s/)).toBeTruthy();
});

test("what_cannot_be_read_is_reported_in_place_next_to_examples", () => {
  show({ ...GIVEN, view: undefined, problem: "no counter in it (at line 2)" });
  expect(screen.getByRole("alert").textContent).toBe(
    "mine.txt: no counter in it (at line 2)",
  );
  expect(screen.getByRole("button", { name: "One" })).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
});

import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { SurveyState } from "../../../src/model/samples/state";
import { NoSamples } from "../../../src/views/samples/NoSamples";
import { ReplayGate } from "../../../src/views/samples/ReplayGate";
import { SamplesView } from "../../../src/views/samples/SamplesView";
import type { SamplesViewProps } from "../../../src/views/samples/SamplesView";
import { counts, data, report, trace } from "./data";

const done: SurveyState = { status: "done", report };

function show(part: Partial<SamplesViewProps> = {}) {
  const calls = {
    onChoose: vi.fn(),
    onCancel: vi.fn(),
    onAgain: vi.fn(),
    onReplay: vi.fn(),
  };
  render(
    <SamplesView
      trace={trace}
      survey={done}
      choice={{ who: "all" }}
      picker={<button type="button">Machine</button>}
      {...calls}
      {...part}
    />,
  );
  return calls;
}

const panel = (name: string) => within(screen.getByRole("region", { name }));
const firstCells = (table: HTMLElement) =>
  within(table)
    .getAllByRole("rowheader")
    .map(({ textContent }) => textContent);

test("every_part_carries_completeness_event_period_and_losses", () => {
  show();
  for (const name of [
    "Where translations were found",
    "Footprint",
    "Huge pages",
    "Hit rates by a model, not measured",
    "Not a stream of accesses",
  ]) {
    const within = panel(name);
    expect(within.getAllByText("slow accesses only")).not.toEqual([]);
    within.getByText(/100 samples · cpu\/mem-loads.* one of 2,000 · 12 lost/);
  }
});

test("a_picture_that_is_saved_carries_the_completeness", () => {
  show();
  const pictures = [...document.querySelectorAll("[data-picture]")];
  expect(pictures).toHaveLength(1);
  for (const { textContent } of pictures)
    expect(textContent).toContain("slow accesses only");
});

test("intel_s_one_class_is_said_to_be_one", () => {
  show();
  panel("Where translations were found").getByText(
    /“L1 or L2 hit” is one class/,
  );
  screen.getByRole("img", { name: "L1 or L2 hit 62.5 %, walk 37.5 %" });
});

test("a_table_is_put_in_order_by_its_column_headers", () => {
  show();
  const table = screen.getByRole("table", { name: "Ranges of 2M" });
  expect(firstCells(table)).toEqual(["0x200000", "0x400000", "0x600000"]);
  const head = within(table).getByRole("columnheader", {
    name: "4K pages of 512",
  });
  expect(head.getAttribute("aria-sort")).toBe("none");
  fireEvent.click(within(head).getByRole("button"));
  expect(head.getAttribute("aria-sort")).toBe("descending");
  expect(firstCells(table)).toEqual(["0x600000", "0x200000", "0x400000"]);
  fireEvent.click(within(head).getByRole("button"));
  expect(firstCells(table)).toEqual(["0x400000", "0x200000", "0x600000"]);
});

test("samples_are_grouped_by_what_is_chosen", () => {
  show();
  const found = panel("Where translations were found");
  fireEvent.click(found.getByRole("radio", { name: "Page size" }));
  expect(firstCells(found.getByRole("table"))).toEqual(["4K", "2M"]);
  fireEvent.click(found.getByRole("radio", { name: "Page" }));
  expect(firstCells(found.getByRole("table"))).toEqual([
    "0x201000",
    "0x202000",
  ]);
});

test("page_faults_show_how_memory_grew_and_no_misses", () => {
  show();
  fireEvent.click(screen.getByRole("radio", { name: "Page faults" }));
  panel("Footprint").getByText("Growth of memory in use");
  expect(screen.queryByText(/Hit rates by a model/)).toBeNull();
  expect(screen.queryByText(/measured walks/)).toBeNull();
  screen.getByRole("region", { name: "Where pages faulted" });
});

test("a_model_is_named_as_one_with_its_assumption", () => {
  show();
  const model = panel("Hit rates by a model, not measured");
  model.getByText(/independent reference model \(Che’s approximation\)/);
  model.getByRole("img", { name: "90.0 %, 85.0 % to 93.0 %" });
  model.getByText("Machine");
});

test("what_counts_can_be_chosen", () => {
  const { onChoose } = show();
  fireEvent.click(screen.getByRole("radio", { name: "kernel" }));
  expect(onChoose).toHaveBeenLastCalledWith({ who: "kernel" });
  fireEvent.change(screen.getByRole("combobox", { name: "Event" }), {
    target: { value: "1" },
  });
  expect(onChoose).toHaveBeenLastCalledWith({ who: "all", event: 1 });
});

test("where_nothing_is_left_the_way_back_is_there", () => {
  const empty = { ...report, data: null, faults: null };
  const { onChoose } = show({ survey: { status: "done", report: empty } });
  fireEvent.click(screen.getByRole("button", { name: "Count all" }));
  expect(onChoose).toHaveBeenCalledWith({ who: "all" });
});

test("counting_shows_its_progress_and_keeps_the_previous_numbers", () => {
  const progress = { done: 250, total: 1000, unit: "parts", rate: 1 } as const;
  const { onCancel } = show({
    survey: { status: "running", progress, report },
  });
  expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe(
    "25",
  );
  screen.getByRole("table", { name: "Ranges of 2M" });
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onCancel).toHaveBeenCalled();
});

test("why_nothing_could_be_counted_is_said_with_a_way_on", () => {
  const { onAgain } = show({
    survey: { status: "failed", why: "The machine is wrong." },
  });
  expect(screen.getByRole("alert").textContent).toContain(
    "The machine is wrong.",
  );
  fireEvent.click(screen.getByRole("button", { name: "Count again" }));
  expect(onAgain).toHaveBeenCalled();
});

test("a_replay_is_behind_a_sentence_that_says_what_it_is", () => {
  const { onReplay } = show();
  const last = panel("Not a stream of accesses");
  last.getByText(/hits, misses and walks are not the program’s/);
  fireEvent.click(
    last.getByRole("button", { name: "Replay as if consecutive" }),
  );
  expect(onReplay).toHaveBeenCalled();
});

test("samples_without_data_addresses_have_no_replay", () => {
  show({
    trace: { ...trace, n_accesses: 0 },
    survey: { status: "done", report: { ...report, data: null, code: data } },
  });
  screen.getByText(/The samples have no data addresses/);
  expect(screen.queryByText("Replay as if consecutive")).toBeNull();
});

test("the_gate_says_why_and_leads_to_the_samples", () => {
  const onReplay = vi.fn();
  render(
    <ReplayGate trace={trace} samples="#screen=samples" onReplay={onReplay} />,
  );
  expect(
    screen.getByRole("link", { name: "See the samples" }).getAttribute("href"),
  ).toBe("#screen=samples");
  fireEvent.click(screen.getByText("Replay as if consecutive"));
  expect(onReplay).toHaveBeenCalled();
});

test("without_samples_it_says_what_it_is_for_and_how_to_record_them", () => {
  const onImport = vi.fn();
  render(<NoSamples trace="ls -l" onImport={onImport} />);
  screen.getByText(/“ls -l” is a list of accesses/);
  screen.getByText(/perf mem record/);
  fireEvent.click(screen.getByRole("button", { name: "Import a recording" }));
  expect(onImport).toHaveBeenCalled();
});

const noPages = {
  ...data,
  pages_4k: 0,
  pages_2m: 0,
  popularity: [],
  pages: [],
  estimates: [],
};

test.each([
  [
    "perf-script",
    data.total,
    "The samples say where translations were found, but have no addresses, so there is no footprint, huge-page advice or hit rate. Print the recording with perf script -F +addr.",
  ],
  [
    "perf.data",
    counts({ unknown: 100 }),
    "The samples have no addresses, so there is no footprint, huge-page advice or hit rate. perf mem record records addresses.",
  ],
])("samples_of_%s_without_addresses_have_no_pages", (format, total, text) => {
  const side = { ...noPages, total };
  show({
    trace: { ...trace, import: { ...trace.import, format } },
    survey: { status: "done", report: { ...report, data: side } },
  });
  const [said] = screen
    .getByRole("region", { name: "No pages" })
    .querySelectorAll("p");
  expect(said?.textContent).toBe(text);
  expect(screen.queryByRole("region", { name: "Footprint" })).toBeNull();
});

test("a_part_of_a_recording_is_named_with_every_number", () => {
  show({ trace: { ...trace, import: { ...trace.import, part: true } } });
  for (const name of ["Where translations were found", "Footprint"]) {
    const within = panel(name);
    expect(within.getAllByText("slow accesses only, partial")).not.toEqual([]);
  }
  expect(screen.queryByText("slow accesses only")).toBeNull();
});

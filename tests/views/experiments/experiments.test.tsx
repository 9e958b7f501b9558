import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ExperimentResult } from "../../../src/engine/generated/ExperimentResult";
import type { Part } from "../../../src/engine/generated/Part";
import type { Shipped } from "../../../src/model/experiments/shipped";
import type { ExperimentState } from "../../../src/model/experiments/state";
import { chartLayout } from "../../../src/model/shared/chart/layout";
import {
  readChoices,
  writeChoices,
} from "../../../src/model/permalink/viewChoices";
import { ChartFigure } from "../../../src/views/shared/chart/ChartFigure";
import { ComparisonTable } from "../../../src/views/experiments/ComparisonTable";
import { ExperimentList } from "../../../src/views/experiments/ExperimentList";
import { ExperimentPage } from "../../../src/views/experiments/ExperimentPage";
import { PartPicker } from "../../../src/views/experiments/PartPicker";
import { ChoicesContext } from "../../../src/views/shared/choices";
import type { Choices } from "../../../src/views/shared/choices";
import { chart, info, result, table } from "../../pictures/experiment";
import { describeChange, pictureOf } from "../../pictures/describe";
import { expectPicture } from "../../pictures/expectPicture";
import { marksOf } from "../../pictures/marks";
import { problemsOf } from "../../pictures/problems";

const figure = <ChartFigure id="byte-array" chart={chart} />;

test("a_chart_in_words", async () => {
  await expectPicture(figure, "__snapshots__/chart.txt");
});

test("each_point_of_a_chart_stands_where_the_axes_say", () => {
  const svg = pictureOf(figure).querySelector(".chart-svg");
  const marks = svg ? marksOf(svg) : [];
  const place = (label: string) => {
    const mark = marks.find(({ text }) => text === label);
    return [mark?.points[0]?.[0] ?? NaN, mark?.points[0]?.[1] ?? NaN] as const;
  };
  const [[left], [right], [, bottom], [, top]] = [
    place("10³"),
    place("10⁸"),
    place("0.0"),
    place("1.0"),
  ];
  const lines = marks.filter(
    ({ kind, element }) =>
      kind === "line" && element.getAttribute("stroke")?.includes("chart-"),
  );
  const drawn = lines.flatMap(({ points }) => points);
  const given = chart.series.slice(0, 2).flatMap(({ points }) => points);
  expect(drawn).toHaveLength(given.length);
  drawn.forEach(([x, y], at) => {
    const [bytes, walks] = given[at] ?? [NaN, NaN];
    const share = (Math.log10(bytes) - 3) / 5;
    expect(x).toBeCloseTo(left + (right - left) * share, 1);
    expect(y).toBeCloseTo(bottom + (top - bottom) * walks, 1);
  });
});

test("an_error_bar_spans_the_error_of_its_point", () => {
  const layout = chartLayout(chart, { width: 640, height: 300 });
  const [zero, half] = ["0.0", "0.5"].map(
    (tick) => layout.yTicks.find(({ label }) => label === tick)?.at ?? NaN,
  ) as [number, number];
  const place = (walks: number) => zero + (half - zero) * (walks / 0.5);
  const bars = layout.lines.flatMap(({ points }) =>
    points.flatMap(({ bar }) => bar ?? []),
  );
  expect(bars).toHaveLength(2);
  expect(bars[0]).toBeCloseTo(place(1.017 - 0.244), 1);
  expect(bars[1]).toBeCloseTo(place(1.017 + 0.244), 1);
});

test("a_narrow_chart_has_a_legend_and_fewer_ticks", () => {
  const narrow = <ChartFigure id="byte-array" chart={chart} width={358} />;
  expect(problemsOf(pictureOf(narrow))).toEqual([]);
  expect(describeChange(figure, narrow)).toMatchInlineSnapshot(`
    "- image 640×300 "Page walks: walks per read over bytes of the array. Lines: 4K simulated; 2M simulated; measured, 4K (published)."
    - 1.0 | circle(--surface)[circle(--text)] | measured, 4K (published){name}
    - rect(--chart-4k) | leader | 4K simulated{name}
    - 0.0 | rect(--chart-2m)[rect(--chart-4k)[tick]] | rect(--chart-4k)[tick] | rect(--chart-2m)[tick] | 2M simulated{name}
    - 10³ | 10⁴ | 10⁵ | 10⁶ | 10⁷ | 10⁸
    - grid ×3 | tick ×3 | axis | line | path(--chart-4k) | path(--chart-2m) dashed | path(--text)
    - slider "bytes of the array, over Page walks" 0 of 0 to 3 “no point chosen” focusable at left:34px;width:426.4px;top:42px;height:218px
    + list
    + - "(#75g --chart-4k) 4K simulated"
    + - "(#75g --chart-2m) 2M simulated"
    + - "(--surface --text) measured, 4K (published)"
    + image 358×300 "Page walks: walks per read over bytes of the array. Lines: 4K simulated; 2M simulated; measured, 4K (published)."
    + 1.0 | circle(--surface)[circle(--text)]
    + 0.0 | rect(--chart-2m)[rect(--chart-4k)] | rect(--chart-4k)[tick] | rect(--chart-2m)[tick]
    + 10⁴ | 10⁶ | 10⁸
    + grid ×3 | tick | axis | line | path(--chart-4k) | path(--chart-2m) dashed | path(--text)
    + slider "bytes of the array, over Page walks" 0 of 0 to 3 “no point chosen” focusable at left:34px;width:310px;top:42px;height:218px"
  `);
});

test("a_table_in_words", async () => {
  await expectPicture(
    <ComparisonTable id="byte-array" table={table} sources={info.sources} />,
    "__snapshots__/table.txt",
  );
});

test("arrow_keys_read_a_chart_point_by_point", () => {
  render(<ChartFigure id="byte-array" chart={chart} />);
  const surface = screen.getByRole("slider");
  const text = () => surface.getAttribute("aria-valuetext");
  expect(text()).toBe("no point chosen");
  fireEvent.keyDown(surface, { key: "End" });
  expect(text()).toBe(
    "100,000,000 bytes of the array: 4K simulated 0.9583, 2M simulated 0, measured, 4K (published) 1.017 ± 0.244 walks per read",
  );
  fireEvent.keyDown(surface, { key: "ArrowLeft" });
  expect(text()).toContain("10,000,000 bytes");
  fireEvent.keyDown(surface, { key: "Home" });
  fireEvent.keyDown(surface, { key: "ArrowLeft" });
  expect(surface.getAttribute("aria-valuenow")).toBe("0");
  fireEvent.blur(surface);
  expect(text()).toBe("no point chosen");
});

const done: ExperimentState = { status: "done", result, seconds: 1.8 };

function showPage(
  state: ExperimentState | undefined,
  shipped?: ExperimentResult,
) {
  const onRun = vi.fn<() => void>();
  const onCancel = vi.fn<() => void>();
  const onOpen = vi.fn<() => void>();
  const page = (state: ExperimentState | undefined) => (
    <ExperimentPage
      info={info}
      shipped={shipped}
      state={state}
      listAddress="#list"
      {...{ onRun, onCancel, onOpen }}
    />
  );
  const { rerender } = render(page(state));
  return {
    onRun,
    onCancel,
    onOpen,
    become: (next: ExperimentState) => rerender(page(next)),
  };
}

const running: ExperimentState = {
  status: "running",
  progress: { done: 25, total: 100, rate: 1e6 },
};

test("before_it_runs_question_machine_and_memory_are_shown", () => {
  const { onRun } = showPage(undefined);
  for (const text of [info.question, info.machine, info.policy, info.method])
    expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByText(/^Not run yet/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Run it here" }));
  expect(onRun).toHaveBeenCalledOnce();
});

test("while_it_runs_it_shows_its_progress_and_can_be_cancelled", () => {
  const { onCancel } = showPage(running);
  const bar = screen.getByRole("progressbar");
  expect(bar.getAttribute("aria-valuenow")).toBe("25");
  expect(screen.getByTestId("experiment-state").textContent).toBe(
    "25 of 100 accesses · 1.0 M/s",
  );
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onCancel).toHaveBeenCalledOnce();
});

test("its_result_stays_while_it_runs_again_and_goes_if_that_fails", () => {
  const { become } = showPage(done);
  const answer = () => screen.queryByText(result.answer);
  expect(answer()).toBeTruthy();
  become(running);
  expect(answer()).toBeTruthy();
  become({ status: "failed", why: "The simulator stopped." });
  expect(answer()).toBeNull();
  expect(screen.getByRole("alert").textContent).toBe("The simulator stopped.");
  expect(screen.getByRole("button", { name: "Run again" })).toBeTruthy();
});

test("the_shipped_result_is_shown_and_a_run_here_says_whether_it_is_equal", () => {
  const origin = () => screen.getByTestId("experiment-origin").textContent;
  const tally = () => screen.getByTestId("experiment-state").textContent;
  const { become } = showPage(undefined, result);
  expect(screen.getByText(result.answer)).toBeTruthy();
  expect(origin()).toMatch(/^Computed when version .* was built\./);
  expect(tally()).toBe("published: 1 agrees, 1 differs; derived: 2 agree");
  become(running);
  expect(screen.getByText(result.answer)).toBeTruthy();
  become(done);
  expect(origin()).toBe(
    "Run in this browser in 1.8 s: the same 17 numbers as this version ships.",
  );
  const [first, ...rest] = table.rows;
  const rows = first ? [{ ...first, simulated: 0.25 }, ...rest] : [];
  become({ ...done, result: { ...result, tables: [{ ...table, rows }] } });
  expect(origin()).toMatch(
    /: 1 of 17 numbers differ from those that this version ships\.$/,
  );
  become({ status: "failed", why: "The simulator stopped." });
  expect(screen.getByText(result.answer)).toBeTruthy();
  expect(origin()).toMatch(/^Computed when/);
});

test("a_card_shows_the_shipped_answer_mark_and_picture", () => {
  const card = (shipped: ExperimentResult) => {
    const { unmount } = render(
      <ExperimentList
        experiments={[info]}
        shipped={{ [info.id]: shipped }}
        states={{}}
        addressOf={(id) => `#${id}`}
        knowAddress="#how-we-know"
        onRunAll={() => undefined}
        onCancelAll={() => undefined}
      />,
    );
    const text = screen.getByTestId(`experiment-${info.id}`).textContent;
    const picture = screen.queryByRole("img")?.getAttribute("aria-label");
    const head = screen.getByTestId("published").textContent;
    unmount();
    return { text, picture, head };
  };
  const answer = "It walks 0.96 times. Huge pages never do.";
  const { text, picture, head } = card({ ...result, answer });
  expect(head).toMatch(
    /^Published numbers: 1 agrees\. Published directions: 0 agree, 1 differs\./,
  );
  expect(text).toContain("It walks 0.96 times.");
  expect(text).not.toContain("never");
  expect(text).toContain("published: 1 agrees, 1 differs; derived: 2 agree");
  expect(picture).toMatch(/^Page walks: walks per read over bytes/);
  const bars = card({ ...result, charts: [] });
  expect(bars.text).toContain("per readL1 dTLB misses0page walks");
  expect(bars.text).toContain("0.9583 · published 1.017");
});

test("differences_and_corrections_are_shown", () => {
  showPage(done);
  for (const text of [...result.differences, ...result.corrections])
    expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByText("differs from published")).toBeTruthy();
});

test("a_part_is_opened_as_it_is_chosen", () => {
  const machine = {} as (typeof result.parts)[number]["machine"];
  const os = {} as (typeof result.parts)[number]["os"];
  const parts = ["small", "large"].map((name) => ({
    name,
    workload: "uniform",
    params: {},
    machine,
    os,
    window: { skip: 0, warmup: 0 },
  }));
  const { onOpen } = showPage({ ...done, result: { ...result, parts } });
  fireEvent.change(screen.getByRole("combobox"), { target: { value: "1" } });
  fireEvent.click(screen.getByRole("button", { name: "Open as a replay" }));
  expect(onOpen).toHaveBeenCalledWith(parts[1]);
});

test("a_part_chosen_in_one_experiment_is_not_chosen_in_the_next", () => {
  const parts = ["small", "large"].map((name) => ({ name }) as Part);
  const values: Record<string, string> = {};
  const choices: Choices = {
    values,
    onChoose: (key, value = "") => {
      values[key] = value;
    },
  };
  const picker = (experiment: string) => (
    <ChoicesContext value={{ ...choices }}>
      <PartPicker
        experiment={experiment}
        parts={parts}
        onOpen={() => undefined}
      />
    </ChoicesContext>
  );
  const shown = () => screen.getByRole<HTMLSelectElement>("combobox").value;
  const { rerender } = render(picker("first"));
  fireEvent.change(screen.getByRole("combobox"), { target: { value: "1" } });
  rerender(picker("first"));
  expect(shown()).toBe("1");
  expect(readChoices(writeChoices(values))).toEqual(values);
  rerender(picker("second"));
  expect(shown()).toBe("0");
});

test("the_list_says_how_each_stands_and_runs_those_that_are_left", () => {
  const onRunAll = vi.fn<() => void>();
  const onCancelAll = vi.fn<() => void>();
  const other = { ...info, id: "other", title: "Another" };
  const list = (
    states: Record<string, ExperimentState>,
    shipped: Shipped = {},
  ) => (
    <ExperimentList
      experiments={[info, other]}
      states={states}
      shipped={shipped}
      addressOf={(id) => `#${id}`}
      knowAddress="#how-we-know"
      {...{ onRunAll, onCancelAll }}
    />
  );
  const { rerender } = render(list({}));
  const link = screen.getByRole("link", { name: info.title });
  expect(link.getAttribute("href")).toBe("#byte-array");
  fireEvent.click(screen.getByRole("button", { name: "Run all here" }));
  expect(onRunAll).toHaveBeenCalledOnce();
  rerender(list({ "byte-array": done, other: running }));
  expect(screen.getByText("1 of 2 run here")).toBeTruthy();
  expect(
    screen.getByText("published: 1 agrees, 1 differs; derived: 2 agree"),
  ).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Cancel all" }));
  expect(onCancelAll).toHaveBeenCalledOnce();
});

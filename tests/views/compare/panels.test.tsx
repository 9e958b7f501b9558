import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { LockstepView } from "../../../src/engine/generated/LockstepView";
import { ComparedTable } from "../../../src/views/compare/ComparedTable";
import { CompareTimeline } from "../../../src/views/compare/CompareTimeline";
import { DifferenceList } from "../../../src/views/compare/DifferenceList";
import { Leaderboard } from "../../../src/views/compare/Leaderboard";
import type { LeaderboardProps } from "../../../src/views/compare/Leaderboard";
import {
  TraceTagContext,
  useTagFacts,
} from "../../../src/views/shared/TraceTag";
import { OutcomeMatrix } from "../../../src/views/compare/OutcomeMatrix";
import {
  differencesCsv,
  outcomesCsv,
  walksCsv,
} from "../../../src/model/compare/differences";

const VIEW: LockstepView = {
  from: 0,
  to: 1000,
  differing: 37,
  outcomes: [
    [900, 0, 2, 0],
    [10, 20, 0, 0],
    [0, 25, 18, 0],
    [0, 0, 0, 25],
  ],
  listed: [
    {
      index: 42,
      left: { outcome: "walk", refs: 4 },
      right: { outcome: "l1-hit", refs: 0 },
    },
    {
      index: 1042,
      left: { outcome: "l2-hit", refs: 0 },
      right: { outcome: "walk", refs: 1 },
    },
  ],
  width: 250,
  left_walks: [10, 20, 0, 5],
  right_walks: [0, 20, 10, 5],
  differing_in: [10, 0, 10, 0],
};

/** Returns the text of each cell, without the text that only a phone shows. */
const cells = (row: HTMLElement | undefined) =>
  [...(row?.children ?? [])].map((cell) => {
    const below = cell.querySelector(".compare-share-below")?.textContent ?? "";
    return cell.textContent.slice(0, -below.length || undefined);
  });

test("both_sides_stand_next_to_their_difference", () => {
  render(
    <ComparedTable
      title="Totals"
      left="A"
      right="B"
      file="totals"
      rows={[
        { what: "walks", left: 1000, right: 250, help: "All are listed." },
        { what: "cycles", left: 5, right: 5, model: true },
        { what: "STLB", left: undefined, right: 3 },
      ]}
    />,
  );
  const [, walks, cycles, stlb] = screen.getAllByRole("row");
  expect(cells(walks)).toEqual(["walks", "1,000", "250", "−750", "−75.0 %"]);
  expect(walks?.className).toBe("differs");
  expect(cells(cycles)).toEqual(["cycles model", "5", "5", "0", ""]);
  expect(cycles?.className).toBe("");
  expect(cells(stlb)).toEqual(["STLB", "–", "3", "–", ""]);
});

test("outcomes_that_differ_stand_out_of_the_diagonal", () => {
  render(<OutcomeMatrix view={VIEW} />);
  const rows = screen.getAllByRole("row").slice(1);
  expect(rows.map((row) => cells(row).slice(1))).toEqual([
    ["900", "0", "2", "0"],
    ["10", "20", "0", "0"],
    ["0", "25", "18", "0"],
    ["0", "0", "0", "25"],
  ]);
  const marked = document.querySelectorAll("td.differs");
  expect([...marked].map(({ textContent }) => textContent)).toEqual([
    "2",
    "10",
    "25",
  ]);
});

test("a_difference_is_gone_to_and_the_present_one_is_marked", () => {
  const onSeek = vi.fn();
  render(<DifferenceList view={VIEW} at={42} onSeek={onSeek} />);
  const [, first, second] = screen.getAllByRole("row");
  if (!second) throw new Error("There are two.");
  expect(first?.getAttribute("aria-current")).toBe("true");
  expect(second.getAttribute("aria-current")).toBeNull();
  expect(cells(first)).toEqual(["42", " walk, 4 references", " L1 hit"]);
  fireEvent.click(within(second).getByRole("button", { name: "1,042" }));
  expect(onSeek).toHaveBeenCalledWith(1042);
  expect(
    screen.getByText("Listed here and in the file: the first 2 of 37."),
  ).toBeTruthy();
});

test("every_part_can_be_saved_with_its_numbers", () => {
  expect(outcomesCsv(VIEW).split("\n").slice(0, 4)).toEqual([
    "left,right,accesses",
    "L1 hit,L1 hit,900",
    "L1 hit,L2 TLB hit,0",
    "L1 hit,walk,2",
  ]);
  expect(differencesCsv(VIEW)).toBe(
    "number,of all that differ,access,left,left references,right,right references\n1,37,42,walk,4,L1 hit,0\n2,37,1042,L2 TLB hit,0,walk,1\n",
  );
  expect(walksCsv({ ...VIEW, to: 900 }).split("\n")).toEqual([
    "first access,accesses,left walks,right walks,differing",
    "0,250,10,0,10",
    "250,250,20,20,0",
    "500,250,0,10,10",
    "750,150,5,5,0",
    "",
  ]);
  render(<OutcomeMatrix view={VIEW} />);
  render(<DifferenceList view={VIEW} at={0} onSeek={vi.fn()} />);
  render(<CompareTimeline view={VIEW} at={0} onSeek={vi.fn()} />);
  const buttons = screen.getAllByRole("button", { name: /^Save “/ });
  expect(buttons.map((button) => button.getAttribute("aria-label"))).toEqual([
    "Save “Outcomes on both sides”",
    "Save “Differing accesses”",
    "Save “Walks over time”",
  ]);
});

test("walks_before_the_cursor_are_shown_at_the_border_of_its_bar", () => {
  render(<CompareTimeline view={VIEW} at={260} onSeek={vi.fn()} />);
  const [, , signed] = screen.getAllByRole("img");
  expect(signed?.getAttribute("aria-label")).toMatch(
    /^Right − left: −10 walks before access 250, where the cursor’s bar begins, 0 in all/,
  );
});

test("a_click_on_walks_over_time_goes_there", () => {
  const onSeek = vi.fn();
  render(<CompareTimeline view={VIEW} at={0} onSeek={onSeek} />);
  const strips = screen.getAllByRole("img");
  expect(strips.map((strip) => strip.getAttribute("aria-label"))).toEqual([
    "Left: 35 walks, at most 20 in 250 accesses",
    "Right: 35 walks, on the same scale",
    "Right − left: 0 walks before access 0, 0 in all; up: more on the right, at most 10",
  ]);
  const [left] = strips;
  if (!left) throw new Error("There are three.");
  left.getBoundingClientRect = () =>
    ({ left: 100, width: 200 }) as unknown as DOMRect;
  fireEvent.click(left, { clientX: 200 });
  expect(onSeek).toHaveBeenCalledWith(500);
  fireEvent.click(left, { clientX: 999 });
  expect(onSeek).toHaveBeenLastCalledWith(999);
});

test("what_is_compared_of_samples_says_so_also_in_its_file", () => {
  const tag = { word: "sampled", meaning: "Between two are others." };
  render(
    <TraceTagContext value={tag}>
      <CompareTimeline view={VIEW} at={0} onSeek={vi.fn()} />
      <Tagged />
    </TraceTagContext>,
  );
  const timeline = screen.getByRole("region", { name: "Walks over time" });
  expect(within(timeline).getByText("sampled")).toBeTruthy();
  expect(screen.getByRole("note").textContent).toBe(
    '{"completeness":"sampled"}',
  );
});

function Tagged() {
  return <p role="note">{JSON.stringify(useTagFacts())}</p>;
}

const totals = { accesses: 10, l1Misses: 1, l2Misses: 1, refs: 1, faults: 0 };
const model = (cpu: string, cycles: number) => ({
  cpu,
  name: cpu.toUpperCase(),
  vendor: "",
  own: cpu === "b" ? "this machine" : "",
  memory: "4K, native",
  totals: { ...totals, cycles, walks: 100 - cycles },
});

const leaderboard = (part: Partial<LeaderboardProps> = {}) => {
  const calls = {
    onCancel: vi.fn(),
    onAgain: vi.fn(),
    onReplay: vi.fn(),
    onCompare: vi.fn(),
  };
  render(
    <Leaderboard
      rows={[model("b", 30), model("a", 20), model("c", 40)]}
      total={3}
      status="done"
      problem={undefined}
      current="b"
      file="models"
      {...calls}
      {...part}
    />,
  );
  return calls;
};

const ranking = () =>
  screen.getAllByRole("rowheader").map(({ textContent }) => textContent);

test("the_cheapest_model_stands_first_and_a_head_puts_others_first", () => {
  leaderboard();
  expect(ranking()).toEqual(["A", "Bthis machine", "C"]);
  const current = document.querySelectorAll("tr[aria-current]");
  expect([...current].map((row) => row.firstChild?.textContent)).toEqual([
    "Bthis machine",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "walks" }));
  expect(ranking()).toEqual(["A", "Bthis machine", "C"]);
  fireEvent.click(screen.getByRole("button", { name: "walks" }));
  expect(ranking()).toEqual(["C", "Bthis machine", "A"]);
  const head = screen.getByRole("columnheader", { name: "walks" });
  expect(head.getAttribute("aria-sort")).toBe("ascending");
});

test("a_model_is_opened_or_set_at_the_right_but_not_next_to_itself", () => {
  const { onReplay, onCompare } = leaderboard();
  fireEvent.click(screen.getByRole("button", { name: "Replay A" }));
  expect(onReplay).toHaveBeenCalledWith("a");
  fireEvent.click(screen.getByRole("button", { name: "Compare C" }));
  expect(onCompare).toHaveBeenCalledWith("c");
  expect(screen.queryByRole("button", { name: "Compare B" })).toBeNull();
});

test("what_runs_can_be_cancelled_and_run_again", () => {
  const running = leaderboard({ status: "running", total: 9 });
  expect(screen.getByText(/^3 of 9 models have run\./)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(running.onCancel).toHaveBeenCalledOnce();
});

test("what_was_cancelled_is_run_again", () => {
  const { onAgain } = leaderboard({ status: "cancelled", total: 9 });
  expect(screen.getByText(/The remaining runs were cancelled\./)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Run again" }));
  expect(onAgain).toHaveBeenCalledOnce();
});

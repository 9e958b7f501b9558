import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { AttributionView } from "../../../src/engine/generated/AttributionView";
import { AttributionTables } from "../../../src/views/attribution/AttributionTables";

const NONE = {
  accesses: 0,
  l1_misses: 0,
  walks: 0,
  faults: 0,
  exceptions: 0,
  l2_hit_cycles: 0,
  l2_miss_cycles: 0,
  walk_cycles: 0,
};
const row = (name: string, start: string, walks: number, accesses: number) => ({
  ...NONE,
  name,
  region: "",
  inferred: false,
  start,
  end: "0xffff",
  walks,
  accesses,
  walk_cycles: walks,
});
const table = (rows: ReturnType<typeof row>[]) => ({
  rows,
  n_others: 0,
  others: NONE,
  unknown: NONE,
});

const VIEW: AttributionView = {
  total: { ...NONE, accesses: 10, walks: 5, walk_cycles: 5 },
  regions: table([row("[heap]", "0x20", 4, 3), row("text", "0x10", 1, 7)]),
  pages: table([row("", "0x1000", 5, 10)]),
  instructions: table([]),
  objects: table([]),
  lines: table([]),
  symbols: table([]),
  calls: { nodes: [], n_others: 0, others: NONE, unknown: NONE },
};

test("a_click_on_a_head_sorts_and_on_a_row_filters", () => {
  const onFilter = vi.fn();
  const props = { view: VIEW, progress: undefined, onFilter };
  const { rerender } = render(
    <AttributionTables {...props} filter={undefined} />,
  );
  const names = () =>
    within(screen.getByRole("table", { name: "Misses by regions" }))
      .getAllByRole("rowheader")
      .map(({ textContent }) => textContent);
  expect(names()).toEqual(["[heap]0x20", "text0x10"]);
  fireEvent.click(screen.getByRole("button", { name: "accesses" }));
  expect(names()).toEqual(["text0x10", "[heap]0x20"]);
  const head = screen.getByRole("columnheader", { name: "accesses" });
  expect(head.getAttribute("aria-sort")).toBe("descending");
  fireEvent.click(screen.getByRole("button", { name: /^\[heap\]/ }));
  const [[filter]] = onFilter.mock.calls as [[{ label: string }]];
  expect(filter).toMatchObject({ by: "address", start: "0x20" });
  rerender(<AttributionTables {...props} filter={filter as never} />);
  const chosen = screen.getByRole("button", { name: /^\[heap\]/ });
  expect(chosen.getAttribute("aria-pressed")).toBe("true");
  fireEvent.click(chosen);
  expect(onFilter).toHaveBeenLastCalledWith(undefined);
});

test("another_table_is_a_choice_and_counting_is_shown", () => {
  const props = { progress: undefined, filter: undefined, onFilter: vi.fn() };
  const { rerender } = render(
    <AttributionTables {...props} view={undefined} />,
  );
  expect(screen.getByText(/Pagewalk counts misses by region/)).toBeTruthy();
  rerender(<AttributionTables {...props} view={VIEW} />);
  fireEvent.click(screen.getByRole("radio", { name: "page" }));
  expect(screen.getByRole("table", { name: "Misses by pages" })).toBeTruthy();
  expect(screen.queryByRole("radio", { name: "symbol" })).toBeNull();
});

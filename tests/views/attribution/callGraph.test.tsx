import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { AttributionTables } from "../../../src/views/attribution/AttributionTables";
import { CallGraph } from "../../../src/views/attribution/CallGraph";
import { VIEW } from "../../model/attribution/callsData";

function draw(merged = false) {
  const onFilter = vi.fn();
  const graph = render(
    <CallGraph view={VIEW} filter={undefined} onFilter={onFilter} />,
  );
  fireEvent.click(screen.getByRole("radio", { name: "walks" }));
  const recursion = screen.getByRole("checkbox", { name: /^recursive/ });
  if (!merged) fireEvent.click(recursion);
  const tree = () => screen.getByRole("tree", { name: "Call paths by walks" });
  const labels = () =>
    within(tree())
      .getAllByRole("treeitem")
      .map((item) => item.getAttribute("aria-label"));
  const press = (name: RegExp) =>
    fireEvent.click(within(tree()).getByRole("treeitem", { name }));
  return { ...graph, onFilter, tree, labels, press };
}

test("a_press_gives_a_function_the_whole_width_and_another_press_ends_that", () => {
  const { labels, press } = draw();
  expect(labels()).toEqual([
    "all, 100 walks, 100 %",
    "main, 80 walks, 80.0 %",
    "join, 60 walks, 60.0 %",
    "probe(int; int), 40 walks, 40.0 %",
    "join, 20 walks, 20.0 %",
    "sort, 10 walks, 10.0 %",
    "unknown, 15 walks, 15.0 %",
  ]);
  press(/^join, 60/);
  expect(labels()).toHaveLength(5);
  expect(screen.getByText("main › join")).toBeTruthy();
  press(/^join, 60/);
  expect(screen.getByText("main", { selector: "span" })).toBeTruthy();
  press(/^all/);
  expect(labels()).toHaveLength(7);
});

test("recursive_calls_are_one_function_at_first", () => {
  const { labels, press } = draw(true);
  expect(labels()).toEqual([
    "all, 100 walks, 100 %",
    "main, 80 walks, 80.0 %",
    "join, 60 walks, 60.0 %",
    "probe(int; int), 40 walks, 40.0 %",
    "sort, 10 walks, 10.0 %",
    "unknown, 15 walks, 15.0 %",
  ]);
  const button = () => screen.queryByRole("button", { name: /^Show only/ });
  press(/^join, 60/);
  expect(button()).not.toBeNull();
  // `probe` is called at several depths of the recursion.
  press(/^probe/);
  expect(screen.getByText("main › join › probe(int; int)")).toBeTruthy();
  expect(button()).toBeNull();
});

test("keys_move_from_call_to_call", () => {
  const { tree, labels } = draw();
  const read = (key: string) => {
    fireEvent.keyDown(tree(), { key });
    const id = tree().getAttribute("aria-activedescendant") ?? "";
    return document.getElementById(id)?.getAttribute("aria-label");
  };
  expect(read("ArrowDown")).toMatch(/^all/);
  expect(read("ArrowDown")).toMatch(/^main/);
  expect(read("ArrowRight")).toMatch(/^unknown/);
  expect(read("ArrowLeft")).toMatch(/^main/);
  expect(read("ArrowDown")).toMatch(/^join, 60/);
  expect(read("ArrowUp")).toMatch(/^main/);
  expect(read("ArrowDown")).toMatch(/^join, 60/);
  read("Enter");
  expect(labels()).toHaveLength(5);
  read("Escape");
  expect(labels()).toHaveLength(7);
});

test("a_search_says_how_much_it_found", () => {
  const { tree } = draw();
  const box = screen.getByRole("searchbox", { name: "Find a function" });
  fireEvent.change(box, { target: { value: "join" } });
  expect(screen.getByText(/2 call paths found, 60.0 % of walks/)).toBeTruthy();
  const found = tree().querySelectorAll("[data-found]");
  expect(found).toHaveLength(2);
});

test("the_timeline_shows_a_path_on_request", () => {
  const { press, onFilter } = draw();
  press(/^join, 60/);
  fireEvent.click(screen.getByRole("button", { name: /^Show only this/ }));
  expect(onFilter).toHaveBeenCalledWith(
    expect.objectContaining({ by: "calls", path: ["main", "join"] }),
  );
});

test("the_tab_is_there_only_if_the_trace_has_call_paths", async () => {
  const props = { progress: undefined, filter: undefined, onFilter: vi.fn() };
  const without = {
    ...VIEW,
    calls: { ...VIEW.calls, nodes: [], n_others: 0 },
  };
  const { rerender } = render(<AttributionTables {...props} view={without} />);
  expect(screen.queryByRole("radio", { name: "call path" })).toBeNull();
  rerender(<AttributionTables {...props} view={VIEW} />);
  fireEvent.click(screen.getByRole("radio", { name: "call path" }));
  expect(await screen.findByRole("tree")).toBeTruthy();
});

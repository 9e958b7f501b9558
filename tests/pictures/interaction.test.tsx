import { fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { tlbCsv } from "../../src/model/replay/pictureCsv";
import { AccessBand } from "../../src/views/replay/AccessBand";
import { TlbPanel } from "../../src/views/tlb/TlbPanel";
import { WalkPanel } from "../../src/views/walk/WalkPanel";
import {
  bigPage,
  coldFault,
  l1Hit,
  l2Hit,
  pdeHit,
  straddle,
  zenWalk,
} from "./accesses";
import type { Scene } from "./accesses";

// jsdom draws nothing.
beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
});

const chosenLevel = () =>
  screen
    .getAllByRole("option")
    .findIndex((option) => option.getAttribute("aria-selected") === "true");

function walk({ machine, step }: Scene) {
  return <WalkPanel machine={machine} step={step} />;
}

function tlb(
  { machine, step, columns }: Scene,
  more: Partial<Parameters<typeof TlbPanel>[0]> = {},
) {
  return <TlbPanel machine={machine} step={step} columns={columns} {...more} />;
}

const tabShown = () => screen.getByRole("tab", { selected: true }).textContent;

test("arrows_move_between_tables_and_escape_returns_to_the_leaf", () => {
  render(walk(pdeHit));
  const list = screen.getByRole("listbox");
  expect(chosenLevel()).toBe(3);
  fireEvent.keyDown(list, { key: "ArrowLeft" });
  fireEvent.keyDown(list, { key: "ArrowLeft" });
  expect(chosenLevel()).toBe(1);
  expect(
    screen.getByRole("group", { name: "Entry PDPT[232]" }).textContent,
  ).toContain("0x3e12067");
  fireEvent.keyDown(list, { key: "Home" });
  expect(chosenLevel()).toBe(0);
  fireEvent.keyDown(list, { key: "Escape" });
  expect(chosenLevel()).toBe(3);
});

test("arrows_inside_a_picture_do_not_step_the_replay", () => {
  const onKeyDown = vi.fn();
  document.addEventListener("keydown", onKeyDown);
  render(walk(pdeHit));
  fireEvent.keyDown(screen.getByRole("listbox"), { key: "ArrowLeft" });
  expect(onKeyDown).not.toHaveBeenCalled();
  fireEvent.keyDown(screen.getByRole("listbox"), { key: "w" });
  expect(onKeyDown).toHaveBeenCalledOnce();
  document.removeEventListener("keydown", onKeyDown);
});

test("where_there_are_several_cores_the_tlb_says_whose_it_is", () => {
  const { rerender } = render(tlb(pdeHit, { core: "thread 41" }));
  expect(screen.getByRole("heading").textContent).toMatch(/ of thread 41$/);
  rerender(tlb(pdeHit));
  expect(screen.getByRole("heading").textContent).not.toContain(" of ");
});

test("a_new_access_looks_at_its_own_leaf", () => {
  const { rerender } = render(walk(pdeHit));
  fireEvent.keyDown(screen.getByRole("listbox"), { key: "Home" });
  rerender(walk({ ...coldFault, step: { ...coldFault.step, index: 12_346 } }));
  expect(chosenLevel()).toBe(3);
});

test("a_hit_offers_the_next_walk", () => {
  const onNextWalk = vi.fn();
  render(
    <WalkPanel
      machine={l1Hit.machine}
      step={l1Hit.step}
      onNextWalk={onNextWalk}
    />,
  );
  fireEvent.click(screen.getByRole("button", { name: /Next walk/ }));
  expect(onNextWalk).toHaveBeenCalledOnce();
});

test("a_straddling_access_has_a_switch", () => {
  const onWhich = vi.fn();
  render(
    <AccessBand
      machine={straddle.machine}
      step={straddle.step}
      onWhich={onWhich}
    />,
  );
  fireEvent.click(screen.getByRole("radio", { name: "2 of 2" }));
  expect(onWhich).toHaveBeenCalledWith(1);
});

test("an_access_to_one_page_has_no_switch", () => {
  render(
    <AccessBand
      machine={pdeHit.machine}
      step={pdeHit.step}
      onWhich={vi.fn()}
    />,
  );
  expect(screen.queryByRole("radio")).toBeNull();
});

test("the_panel_follows_the_access_until_a_tab_is_picked", () => {
  const { rerender } = render(tlb(pdeHit));
  expect(tabShown()).toBe("L1 dTLB 4K64/64");
  fireEvent.click(screen.getByRole("tab", { name: "L1 iTLB 4K" }));
  expect(tabShown()).toBe("L1 iTLB 4K7/128");
  rerender(tlb(l2Hit));
  expect(tabShown()).toBe("L1 iTLB 4K7/128");
  fireEvent.click(screen.getByRole("button", { name: "follow" }));
  expect(tabShown()).toBe("L1 dTLB 4K64/64");
});

test("a_held_panel_keeps_its_array_while_accesses_fly_by", () => {
  const { rerender } = render(tlb(pdeHit));
  rerender(tlb(bigPage, { hold: true }));
  expect(tabShown()).toContain("L1 dTLB 4K");
  rerender(tlb(bigPage));
  expect(tabShown()).toBe("2M0/32");
});

test("arrows_move_between_tabs", () => {
  render(tlb(pdeHit));
  fireEvent.keyDown(screen.getByRole("tablist"), { key: "End" });
  expect(tabShown()).toContain("walk caches");
  expect(document.activeElement?.textContent).toContain("walk caches");
  fireEvent.keyDown(screen.getByRole("tablist"), { key: "ArrowRight" });
  expect(tabShown()).toContain("L1 iTLB 4K");
});

test("the_owner_may_hold_the_picked_tab", () => {
  const onPin = vi.fn();
  render(tlb(pdeHit, { pinned: 5, onPin }));
  expect(tabShown()).toContain("STLB");
  fireEvent.click(screen.getByRole("tab", { name: "walk caches" }));
  expect(onPin).toHaveBeenCalledWith(7);
  expect(tabShown()).toContain("STLB");
});

test("a_click_on_an_entry_shows_its_history", () => {
  const onSeek = vi.fn();
  render(tlb(pdeHit, { onSeek }));
  fireEvent.click(
    screen.getByRole("gridcell", { name: "set 5 way 3, page 0x7f3a1c2b5" }),
  );
  const details = screen.getByRole("complementary", {
    name: "Selected slot",
  });
  expect(details.textContent).toContain("L1 dTLB 4K set 5 way 3");
  expect(details.textContent).toContain("0x7f3a1c2b5000 – 0x7f3a1c2b5fff");
  expect(details.textContent).toContain("4 pages compete for set 5");
  const [filled] = within(details).getAllByRole("button", { name: "12,345" });
  if (filled) fireEvent.click(filled);
  expect(onSeek).toHaveBeenCalledWith(12_345);
  fireEvent.click(within(details).getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("complementary")).toBeNull();
});

test("a_grid_is_one_tab_stop_with_a_cursor", () => {
  render(tlb(pdeHit));
  const grid = screen.getByRole("grid", { name: /L1 dTLB 4K/ });
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown", "Enter"])
    fireEvent.keyDown(grid, { key });
  expect(screen.getByRole("complementary").textContent).toContain(
    "set 2 way 1",
  );
});

test("escape_lets_a_pick_go", () => {
  render(tlb(pdeHit));
  const grid = screen.getByRole("grid", { name: /L1 dTLB 4K/ });
  fireEvent.keyDown(grid, { key: "Enter" });
  expect(screen.queryByRole("complementary")).not.toBeNull();
  fireEvent.keyDown(grid, { key: "Escape" });
  expect(screen.queryByRole("complementary")).toBeNull();
});

test("the_map_opens_sets_by_keyboard", () => {
  render(tlb(pdeHit));
  const map = screen.getByRole("slider", { name: "Set of STLB" });
  expect(map.getAttribute("aria-valuetext")).toBe(
    "set 48: 4 of 12 ways in use",
  );
  fireEvent.keyDown(map, { key: "ArrowRight" });
  expect(map.getAttribute("aria-valuenow")).toBe("49");
  fireEvent.keyDown(map, { key: "End" });
  expect(map.getAttribute("aria-valuetext")).toMatch(/^set 127/);
});

test("page_sizes_filter_an_array_that_holds_several", () => {
  render(tlb(zenWalk, { pinned: 3 }));
  const pde = screen.getByRole("button", { name: "1 table entry" });
  fireEvent.click(pde);
  expect(pde.getAttribute("aria-pressed")).toBe("true");
  fireEvent.click(pde);
  expect(pde.getAttribute("aria-pressed")).toBe("false");
});

test("walk_caches_that_live_in_an_array_say_so", () => {
  render(tlb(zenWalk, { pinned: 4 }));
  expect(screen.getByRole("tabpanel").textContent).toContain(
    "stored in L2 dTLB: 1 entry there",
  );
});

test("what_is_saved_says_whose_core_is_shown", () => {
  const choices = [41, 42].map((core) => {
    const name = `thread ${core}`;
    return { core, name, text: name };
  });
  const saved = (shown: number | undefined) => {
    const cores = { choices, shown, onChange: () => undefined };
    const { unmount } = render(tlb(pdeHit, { core: "thread 42", cores }));
    const name = screen
      .getByRole("button", { name: /^Save/ })
      .getAttribute("aria-label");
    unmount();
    return name;
  };
  expect(saved(undefined)).toContain(" of thread 42 at access ");
  expect(saved(41)).toContain(" of thread 41 at access ");
  const { machine, columns } = pdeHit;
  const file = (core?: string) => tlbCsv(machine, columns, [0], core);
  const lines = file("thread 41").trim().split("\n");
  expect(lines[0]).toMatch(/^core,structure,/);
  for (const line of lines.slice(1)) expect(line).toMatch(/^thread 41,/);
  expect(file()).toMatch(/^structure,/);
});

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

// jsdom does not draw, so these methods are replaced.
beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
});

const tables = () =>
  screen.getByRole("listbox", { name: "Tables of the walk" });

function press(target: HTMLElement, ...keys: string[]) {
  for (const key of keys) fireEvent.keyDown(target, { key });
}

const chosenLevel = () =>
  within(tables())
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

test("up_and_down_move_between_tables_and_escape_returns_to_the_leaf", () => {
  render(walk(pdeHit));
  const list = tables();
  expect(chosenLevel()).toBe(3);
  press(list, "ArrowUp", "ArrowUp");
  expect(chosenLevel()).toBe(1);
  expect(
    screen.getByRole("group", { name: "Entry PDPT[232]" }).textContent,
  ).toContain("0x3e12067");
  press(list, "ArrowDown");
  expect(chosenLevel()).toBe(2);
  press(list, "Escape");
  expect(chosenLevel()).toBe(3);
});

test("right_and_left_step_through_the_walk", () => {
  const { container } = render(walk(coldFault));
  const list = tables();
  const shown = () => ({
    step: container.querySelector(".walk-step-at")?.textContent,
    title: screen.getByRole("heading", { level: 3 }).textContent,
    lit: container.querySelector("[data-lit]")?.getAttribute("data-lit"),
    toCome: screen
      .getAllByRole("option", { name: /not reached yet$/ })
      .map((option) => option.getAttribute("aria-label")?.split(",")[0]),
  });
  press(list, "Home");
  expect(shown()).toEqual({
    step: "step 1 of 5",
    title: "PML4 entry 254",
    lit: "4",
    toCome: ["PDPT", "PD", "PT"],
  });
  press(list, "ArrowRight", "ArrowRight");
  expect(shown()).toMatchObject({ title: "PD entry 225", toCome: ["PT"] });
  press(list, "ArrowLeft");
  expect(shown()).toMatchObject({ title: "PDPT entry 232", lit: "3" });
  press(list, "ArrowRight", "ArrowRight", "ArrowRight");
  expect(screen.getByText("step 5 of 5")).toBeDefined();
  expect(container.querySelector('[data-lit="offset"]')).not.toBeNull();
  // After the last step, one more shows the whole walk, as in a nested walk.
  press(list, "ArrowRight");
  expect(screen.getByText("5 steps")).toBeDefined();
  expect(container.querySelector("[data-lit]")).toBeNull();
});

test("screen_readers_hear_each_step", () => {
  const { container } = render(walk(pdeHit));
  const heard = () =>
    container.querySelector("[aria-live=polite]")?.textContent;
  expect(heard()).toBe("");
  press(tables(), "Home");
  expect(heard()).toMatch(
    /^Step 1 of 3: PDE cache knows the PT: 3 references saved\./,
  );
  press(tables(), "ArrowRight");
  expect(heard()).toMatch(
    /^Step 2 of 3: reference 1, PT entry 181, read from L2 in 14 cycles\. .*at 0x5f07000 \+ 181 × 8 = 0x5f075a8/,
  );
});

test("the_bits_of_an_entry_are_one_tab_stop_with_a_tooltip_each", async () => {
  render(walk(pdeHit));
  const bits = screen.getByRole("listbox", { name: "Bits of the entry" });
  press(bits, "End");
  const present = within(bits).getByRole("option", { selected: true });
  await vi.waitFor(() =>
    expect(present.textContent).toBe(
      "P1P, bit 0: present. Now 1: the entry is in use.",
    ),
  );
  await screen.findByRole("tooltip");
  await vi.waitFor(() =>
    expect(screen.getByRole("tooltip").textContent).toContain("P, bit 0"),
  );
  press(bits, "ArrowLeft");
  expect(
    within(bits).getByRole("option", { selected: true }).textContent,
  ).toContain("W");
});

test("arrows_inside_a_picture_do_not_step_the_replay", () => {
  const onKeyDown = vi.fn();
  document.addEventListener("keydown", onKeyDown);
  render(walk(pdeHit));
  press(tables(), "ArrowLeft");
  expect(onKeyDown).not.toHaveBeenCalled();
  press(tables(), "w");
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
  press(tables(), "Home");
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

test("a_click_on_an_entry_shows_its_history", async () => {
  const onSeek = vi.fn();
  render(tlb(pdeHit, { onSeek }));
  fireEvent.click(
    screen.getByRole("gridcell", { name: "set 5 way 3, page 0x7f3a1c2b5" }),
  );
  const details = await screen.findByRole("complementary", {
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

test("a_grid_is_one_tab_stop_with_a_cursor", async () => {
  render(tlb(pdeHit));
  const grid = screen.getByRole("grid", { name: /L1 dTLB 4K/ });
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown", "Enter"])
    fireEvent.keyDown(grid, { key });
  const details = await screen.findByRole("complementary");
  expect(details.textContent).toContain("set 2 way 1");
});

test("escape_lets_a_pick_go", async () => {
  render(tlb(pdeHit));
  const grid = screen.getByRole("grid", { name: /L1 dTLB 4K/ });
  fireEvent.keyDown(grid, { key: "Enter" });
  await screen.findByRole("complementary");
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

import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { NestedPanels } from "../../src/views/walk/NestedPanels";
import type { NestedPanelsProps } from "../../src/views/walk/NestedPanels";
import type { Scene } from "./accesses";
import { expectPicture } from "./expectPicture";
import * as scenes from "./nestedFixtures";

const { nestedCold, nestedFive, nestedHit, nestedWalk } = scenes;

function panels(scene: Scene, more: Partial<NestedPanelsProps> = {}) {
  return (
    <NestedPanels
      {...scene}
      side="walk"
      onSide={() => undefined}
      tlb={<p>TLB</p>}
      {...more}
    />
  );
}

const ALL: Readonly<Record<string, unknown>> = scenes;

function sceneOf(name: string): Scene {
  const scene = ALL[name];
  const isScene = (value: unknown): value is Scene =>
    typeof value === "object" && value !== null && "columns" in value;
  if (!isScene(scene)) throw new Error(`no scene ${name}`);
  return scene;
}

test.each([
  "nestedWalk",
  "nestedCold",
  "nestedCombined",
  "nestedHit",
  "nestedLarge",
  "nestedFive",
  "nestedPwc",
])("picture_of_%s", async (name) => {
  await expectPicture(panels(sceneOf(name)), `snapshots/${name}.txt`);
});

test.each(["nestedWalk", "nestedFive"])("on_a_phone_%s", async (name) => {
  await expectPicture(
    panels(sceneOf(name), { phone: true }),
    `snapshots/${name}-phone.txt`,
  );
});

const chosen = () =>
  screen
    .getAllByRole("option")
    .filter((option) => option.getAttribute("aria-selected") === "true")
    .map((option) => option.getAttribute("aria-label") ?? "");

const heading = () =>
  screen.getByRole("region", { name: "Reference" }).querySelector("h2")
    ?.textContent;

const press = (key: string) =>
  fireEvent.keyDown(
    screen.getByRole("listbox", { name: "References of the walk" }),
    { key },
  );

test("arrows_walk_step_by_step_and_later_references_are_not_shown", () => {
  render(panels(nestedWalk));
  expect(heading()).toBe("Reference 24");
  press("ArrowRight");
  expect(chosen()).toEqual([
    "Reference 1: nL4 for the gL4 table, skipped: nested TLB hit",
  ]);
  expect(
    screen.getByRole("option", { name: "Reference 24, not reached yet" }),
  ).toBeDefined();
  expect(screen.getByText("step 1 of 14")).toBeTruthy();
  press("ArrowRight");
  press("ArrowRight");
  expect(heading()).toBe("Reference 6");
  press("ArrowLeft");
  expect(heading()).toBe("Reference 5");
  press("End");
  expect(heading()).toBe("Reference 24");
  expect(screen.queryByText(/^step /)).toBeNull();
});

test("sums_grow_with_the_steps", () => {
  const { container } = render(panels(nestedCold));
  const totals = () =>
    [...container.querySelectorAll(".nested-total")].map(
      (each) => each.textContent,
    );
  expect(totals()).toEqual(["24", "2,644"]);
  press("Home");
  expect(totals()).toEqual(["1", "200"]);
  press("ArrowRight");
  expect(totals()).toEqual(["2", "400"]);
  press("Escape");
  expect(totals()).toEqual(["24", "2,644"]);
});

test("the_last_step_leads_back_to_the_whole_walk", () => {
  render(panels(nestedHit));
  press("ArrowRight");
  expect(screen.getByText("step 1 of 1")).toBeTruthy();
  press("ArrowRight");
  expect(screen.queryByText(/^step /)).toBeNull();
});

test("vertical_arrows_stay_in_their_column", () => {
  render(panels(nestedWalk));
  press("ArrowUp");
  expect(heading()).toBe("Reference 19");
  press("ArrowUp");
  press("ArrowUp");
  press("ArrowUp");
  press("ArrowUp");
  expect(heading()).toBe("Reference 4");
});

test("buttons_do_what_the_arrows_do", () => {
  render(panels(nestedWalk));
  fireEvent.click(
    screen.getByRole("button", { name: "First step of the walk" }),
  );
  expect(heading()).toBe("Reference 1");
  fireEvent.click(
    screen.getByRole("button", { name: "One step of the walk forward" }),
  );
  expect(heading()).toBe("Reference 5");
  fireEvent.click(screen.getByRole("button", { name: "show all" }));
  expect(heading()).toBe("Reference 24");
});

test("a_cell_is_explained_on_hover_and_kept_by_a_click", () => {
  render(panels(nestedWalk));
  const cell = screen.getByRole("option", { name: /^Reference 14:/ });
  fireEvent.pointerEnter(cell);
  expect(heading()).toBe("Reference 14");
  fireEvent.pointerLeave(cell);
  expect(heading()).toBe("Reference 24");
  fireEvent.click(cell);
  expect(heading()).toBe("Reference 14");
});

test("another_access_starts_with_its_whole_walk", () => {
  const { rerender } = render(panels(nestedWalk));
  press("Home");
  rerender(
    panels({ ...nestedFive, step: { ...nestedFive.step, index: 12_346 } }),
  );
  expect(heading()).toBe("Reference 35");
});

test("arrows_inside_the_grid_do_not_step_the_replay", () => {
  const onKeyDown = vi.fn();
  document.addEventListener("keydown", onKeyDown);
  render(panels(nestedWalk));
  press("ArrowRight");
  expect(onKeyDown).not.toHaveBeenCalled();
  press("w");
  expect(onKeyDown).toHaveBeenCalledOnce();
  document.removeEventListener("keydown", onKeyDown);
});

test("a_hit_offers_the_next_walk", () => {
  const onNextWalk = vi.fn();
  render(panels(nestedHit, { onNextWalk }));
  expect(screen.getByText("No reference was needed")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /Next walk/ }));
  expect(onNextWalk).toHaveBeenCalledOnce();
});

test("the_tlbs_can_stand_next_to_the_grid", () => {
  const onSide = vi.fn();
  const onStructure = vi.fn();
  const { rerender } = render(panels(nestedWalk, { onSide, onStructure }));
  fireEvent.click(screen.getByRole("radio", { name: "TLB" }));
  expect(onSide).toHaveBeenCalledWith("tlb");
  fireEvent.click(screen.getByRole("button", { name: "Nested TLB" }));
  expect(onStructure).toHaveBeenCalledWith(10);
  rerender(panels(nestedWalk, { side: "tlb" }));
  expect(screen.getByText("TLB", { selector: "p" })).toBeTruthy();
  expect(screen.queryByText("What skipped 15 references")).toBeNull();
});

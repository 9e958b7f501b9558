/** Pictures without the details that a beginner does not need, and a walk whose step the owner keeps. */
import { fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { AccessBand } from "../../src/views/replay/AccessBand";
import { PlainContext } from "../../src/views/shared/plain";
import { TlbPanel } from "../../src/views/tlb/TlbPanel";
import { WalkPanel } from "../../src/views/walk/WalkPanel";
import { coldFault, pdeHit } from "./accesses";

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
});

/** Both ways to show a picture: `[plain, expert]`. */
function bothWays<T>(picture: ReactNode, read: (at: HTMLElement) => T): T[] {
  return [true, false].map((plain) => {
    const { container, unmount } = render(
      <PlainContext value={plain}>{picture}</PlainContext>,
    );
    const found = read(container);
    unmount();
    return found;
  });
}

function tlb(pinned: number | null = null) {
  const { machine, step, columns } = pdeHit;
  return (
    <TlbPanel machine={machine} step={step} columns={columns} pinned={pinned} />
  );
}

const walkCaches = () => screen.queryAllByRole("tab", { name: /^walk caches/ });

test("the_second_level_and_the_walk_caches_are_left_out", () => {
  expect(bothWays(tlb(), () => walkCaches().length)).toEqual([0, 1]);
  const hasSecond = ({ textContent }: HTMLElement) =>
    textContent.includes("128 sets × 12 ways");
  expect(bothWays(tlb(), hasSecond)).toEqual([false, true]);
});

test("walk_caches_that_a_link_names_are_shown_also_plainly", () => {
  const { machine } = pdeHit;
  const cache = machine.structures.findIndex(({ role }) => role === "psc");
  expect(cache).toBeGreaterThan(0);
  const selected = () =>
    walkCaches().map((tab) => tab.getAttribute("aria-selected"));
  expect(bothWays(tlb(cache), selected)).toEqual([["true"], ["true"]]);
});

test("bits_of_caching_and_keys_of_walk_caches_are_left_out", () => {
  const { machine, step } = pdeHit;
  const bits = bothWays(<WalkPanel machine={machine} step={step} />, (at) =>
    [...at.querySelectorAll(".walk-bits li > span:first-child")].map(
      (name) => name.textContent.trim().split(" ")[0],
    ),
  );
  expect(bits[0]).toEqual(["XD", "frame", "G", "D", "A", "U", "W", "P"]);
  for (const name of ["PAT", "PCD", "PWT", "free", "key"])
    expect(bits[1]).toContain(name);
  const keys = bothWays(<AccessBand machine={machine} step={step} />, (at) =>
    at.querySelector(".access-bits")?.textContent.includes("PDE"),
  );
  expect(keys).toEqual([false, true]);
});

test("the_owner_of_a_panel_may_keep_the_step_of_its_walk", () => {
  const { machine, step } = coldFault;
  const onAt = vi.fn();
  const panel = (at: number) => (
    <WalkPanel machine={machine} step={step} owned={{ at, onAt }} />
  );
  const { rerender } = render(panel(-1));
  const toCome = () =>
    screen.queryAllByRole("option", { name: /not reached yet$/ }).length;
  expect(toCome()).toBe(4);
  const list = screen.getByRole("listbox", { name: "Tables of the walk" });
  fireEvent.keyDown(list, { key: "ArrowRight" });
  expect(onAt).toHaveBeenLastCalledWith(0);
  rerender(panel(1));
  expect(toCome()).toBe(2);
  fireEvent.keyDown(list, { key: "End" });
  expect(onAt).toHaveBeenLastCalledWith(null);
});

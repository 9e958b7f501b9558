import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import "../../src/views/walk/HashedLines";
import { WalkPanel } from "../../src/views/walk/WalkPanel";
import { hashedWalk, refusedHashedWalk } from "./hashedWalk";

afterEach(cleanup);

test.each([false, true])(
  "the_picture_of_a_hashed_walk_has_its_lines, on a phone: %s",
  async (phone) => {
    const { machine, step } = hashedWalk();
    const { container } = render(
      <WalkPanel machine={machine} step={step} phone={phone} />,
    );
    await screen.findByText("3 lines are read at the same time.");
    for (const way of [0, 1, 2]) screen.getByText(`way ${way}`);
    const lines = [...container.querySelectorAll("g > title")];
    expect(lines.map(({ textContent }) => textContent)).toEqual(
      step.translations[0]?.hashed?.lines.map(({ said }) => said),
    );
    // The line with the page is marked.
    const marked = lines.map(({ nextElementSibling: box }) =>
      box?.classList.contains("walk-lit"),
    );
    expect(marked).toEqual([false, true, false]);
    // The band does not repeat what the picture shows.
    expect(screen.queryByText("PTE 0")).toBeNull();
  },
);

test.each([false, true])(
  "lines_are_faint_until_the_walk_reads_them, on a phone: %s",
  async (phone) => {
    const isFaintAt = async (at: number) => {
      const owned = { at, onAt: () => {} };
      const walk = { ...hashedWalk(), phone, owned };
      const { unmount } = render(<WalkPanel {...walk} />);
      const way = await screen.findByText("way 0");
      const isFaint = way.closest(".walk-to-come") !== null;
      unmount();
      return isFaint;
    };
    expect(await isFaintAt(-1)).toBe(true);
    expect(await isFaintAt(0)).toBe(false);
  },
);

test.each([false, true])(
  "a_refused_walk_has_its_lines_and_the_exception, on a phone: %s",
  async (phone) => {
    const { container } = render(
      <WalkPanel {...refusedHashedWalk()} phone={phone} />,
    );
    await screen.findByText("Way 1 of PTE-ECPT holds the page.");
    expect(screen.getAllByText(/exception/).length).toBe(1);
    const lines = [...container.querySelectorAll("g > title")];
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      "line 47 at 0x200bc0: not the page",
      "line 47 at 0x200bc1: holds the page",
      "line 47 at 0x200bc2: not the page",
    ]);
    screen.getAllByText(/W is 0/);
    // The machine counts no reads of such an access.
    expect(container.querySelectorAll(".walk-served")).toHaveLength(0);
  },
);

test.each([false, true])(
  "a_refused_walk_without_a_line_of_the_page_has_no_entry, on a phone: %s",
  async (phone) => {
    const { container } = render(
      <WalkPanel {...refusedHashedWalk(true)} phone={phone} />,
    );
    await screen.findByText("No line holds the page.");
    screen.getByText("page fault, not served: no line holds the page");
    expect(screen.getAllByText(/exception/).length).toBe(1);
    expect(container.querySelectorAll("[data-level]")).toHaveLength(0);
    expect(screen.getByText("way 0").closest(".walk-to-come")).toBeNull();
  },
);

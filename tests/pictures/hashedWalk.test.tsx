import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import "../../src/views/walk/HashedLines";
import { WalkPanel } from "../../src/views/walk/WalkPanel";
import { hashedWalk } from "./hashedWalk";

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

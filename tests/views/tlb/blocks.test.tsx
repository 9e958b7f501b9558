import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { BlocksView } from "../../../src/engine/generated/BlocksView";
import { Blocks } from "../../../src/views/tlb/Blocks";

afterEach(cleanup);

const way = {
  line: null,
  first: null,
  key_shift: 0,
  space: 0,
  pages: 0,
  mark: null,
};
const blocks: BlocksView = {
  cache: "L2",
  n_blocks: 2,
  n_ways: 16384,
  set: 5,
  ways: [
    { ...way, line: "0x203000" },
    { ...way, first: "0x7f28", key_shift: 12, pages: 0b101, mark: "hit" },
    { ...way, first: "0x28", key_shift: 21, pages: 1, mark: "written" },
    way,
  ],
};

test("blocks_are_cells_among_the_lines_of_their_set", () => {
  const { container } = render(<Blocks blocks={blocks} />);
  screen.getByText("TLB blocks in L2");
  screen.getByText("2 of 16,384 ways hold blocks");
  screen.getByText("set 5");
  const cells = screen.getAllByRole("listitem");
  expect(cells.map((cell) => cell.title)).toEqual([
    "Way 0, line 0x203000",
    "Way 1, block of 4K pages 0x7f28 to 0x7f2f, of which it holds 2: hit",
    "Way 2, block of 2M pages 0x28 to 0x2f, of which it holds 1: written by this access",
    "Way 3, empty",
  ]);
  expect(cells.map(({ className }) => className)).toEqual([
    "blocks-way blocks-line",
    "blocks-way blocks-hit",
    "blocks-way blocks-written",
    "blocks-way blocks-empty",
  ]);
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    "line",
    "…f28",
    "0x28",
    "",
  ]);
  expect(container.querySelectorAll("i")).toHaveLength(16);
  expect(container.querySelectorAll("i[data-held]")).toHaveLength(3);
});

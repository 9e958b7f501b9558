import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { DataTable } from "../../../src/views/shared/DataTable";

/** Each column header is 100 wide; a test says how many fit. */
function withRoomFor(n: number) {
  const heads = (box: Element) => box.querySelectorAll("th[scope=col]").length;
  vi.spyOn(Element.prototype, "scrollWidth", "get").mockImplementation(
    function (this: Element) {
      return 100 * heads(this);
    },
  );
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(100 * n);
}

afterEach(() => vi.restoreAllMocks());

const column = (id: string, rank?: number) => ({
  id,
  head: id,
  ...(rank !== undefined && { rank }),
  text: () => id,
  value: () => id,
});

function check(room: number, sortBy?: string) {
  withRoomFor(room);
  const { unmount } = render(
    <DataTable
      id="t"
      title="Samples"
      columns={[
        column("name"),
        column("low", 1),
        column("high", 1),
        column("file", 3),
        column("share"),
      ]}
      rows={["a"]}
      keyOf={(row) => row}
      file="samples"
      picture={{
        head: "",
        word: "bars",
        rank: 2,
        legend: <p>how to read them</p>,
        of: () => <i />,
      }}
    />,
  );
  if (sortBy !== undefined)
    fireEvent.click(screen.getByRole("button", { name: sortBy }));
  const heads = screen
    .getAllByRole("columnheader")
    .map(({ textContent }) => textContent);
  const said = screen.queryByText(/^Left out/)?.textContent;
  const hasLegend = screen.queryByText("how to read them") !== null;
  unmount();
  return [heads.join(" "), said, hasLegend];
}

test("columns_that_matter_least_are_left_out_first_and_named", () => {
  expect(check(6)).toEqual(["name bars low high file share", undefined, true]);
  expect(check(5)).toEqual([
    "name bars low high share",
    "Left out at this width: file.",
    true,
  ]);
  expect(check(4)).toEqual([
    "name low high share",
    "Left out at this width: file, bars.",
    false,
  ]);
});

test("columns_of_one_rank_go_together_and_those_without_stay", () => {
  for (const room of [3, 2, 1])
    expect(check(room)).toEqual([
      "name share",
      "Left out at this width: low, high, file, bars.",
      false,
    ]);
});

test("the_column_that_rows_are_put_in_order_by_stays", () => {
  expect(check(5, "low")[0]).toBe("name bars low high share");
  withRoomFor(3);
  expect(check(4, "high")[0]).toBe("name low high share");
});

import { fireEvent, render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { LineTable } from "../../../src/model/code/lines";
import { LineStrip } from "../../../src/views/code/LineStrip";

const counts = { accesses: 9, misses: 5, walks: 3, cycles: 60 };
const TABLE = {
  lines: [{ line: 4, file: "", counts }],
  total: counts,
  elsewhere: 2,
} as unknown as LineTable;

function show(isStale = false) {
  const onGoTo = vi.fn();
  const strip = (slot: 0 | 1) => (
    <div data-slot={slot}>
      <LineStrip
        table={TABLE}
        slot={slot}
        by="walks"
        line={1}
        at={4}
        before=""
        isStale={isStale}
        onBy={() => {}}
        onGoTo={(line, direction) => void onGoTo(slot, line, direction)}
      />
    </div>
  );
  const { container } = render(
    <>
      {strip(0)}
      {strip(1)}
    </>,
  );
  return { onGoTo, container };
}

test("F8_goes_to_a_walk_of_the_program_with_the_focus_or_else_of_the_first", () => {
  const { onGoTo, container } = show();
  fireEvent.keyDown(document.body, { key: "F8" });
  const second = container.querySelector('[data-slot="1"] select');
  if (second) fireEvent.keyDown(second, { key: "F8", shiftKey: true });
  fireEvent.keyDown(document.body, { key: "F8", ctrlKey: true });
  expect(onGoTo.mock.calls).toEqual([
    [0, 4, 1],
    [1, 4, -1],
  ]);
});

test("counts_of_another_text_say_nothing_about_walks_outside_of_it", () => {
  const { onGoTo, container } = show(true);
  expect(container.textContent).not.toContain("outside of this code");
  fireEvent.keyDown(document.body, { key: "F8" });
  expect(onGoTo).not.toHaveBeenCalled();
});

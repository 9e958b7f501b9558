import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Screen } from "../../../src/model/permalink/permalink";
import { useTopOfScreen } from "../../../src/app/frame/useTopOfScreen";

function Page({ screen }: { readonly screen: Screen }) {
  useTopOfScreen(screen);
  return null;
}

test("another_screen_begins_at_its_top_and_the_first_where_it_was", () => {
  const scroll = vi.spyOn(window, "scrollTo").mockImplementation(() => {});
  const { rerender } = render(<Page screen="code" />);
  rerender(<Page screen="code" />);
  expect(scroll).not.toHaveBeenCalled();
  rerender(<Page screen="replay" />);
  expect(scroll.mock.calls).toEqual([[0, 0]]);
});

// @vitest-environment jsdom
import { act, fireEvent, render } from "@testing-library/react";
import { lazy, useState } from "react";
import { expect, test } from "vitest";
import { Part } from "../../../src/app/frame/Breakdown";
import { TypeAhead, useTypedAhead } from "../../../src/app/frame/TypeAhead";

function Field() {
  const [text, setText] = useState("");
  useTypedAhead();
  return (
    <input
      aria-label="text"
      autoFocus
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

/** Renders a lazy part. It stays loading until the test calls `arrive`. */
function late(Content: () => React.ReactNode) {
  let arrive = () => {};
  const loaded = new Promise<void>((resolve) => (arrive = resolve));
  const Late = lazy(() => loaded.then(() => ({ default: Content })));
  const shown = render(
    <Part fallback={<TypeAhead />}>
      <Late />
    </Part>,
  );
  const press = (keys: readonly string[], more = {}) =>
    keys.map((key) => fireEvent.keyDown(document.body, { key, ...more }));
  return { ...shown, arrive: () => act(() => (arrive(), loaded)), press };
}

test("what_is_typed_while_a_dialog_loads_is_in_its_field", async () => {
  const { arrive, press, findByLabelText } = late(Field);
  const isFree = press(["0", "x", "d", "7", "Backspace", "e"]);
  // The keys d and e mean something else on the page.
  expect(isFree).not.toContain(true);
  expect(press(["k"], { ctrlKey: true })).toEqual([true]);
  await arrive();
  expect(await findByLabelText("text")).toHaveProperty("value", "0xde");
  expect(press(["d"])).toEqual([true]);
});

test("what_was_typed_for_a_dialog_without_a_field_is_in_no_other_dialog", async () => {
  const first = late(() => <p>no field</p>);
  first.press(["a"]);
  await first.arrive();
  await first.findByText("no field");
  const { getByLabelText } = render(<Field />);
  expect(getByLabelText("text")).toHaveProperty("value", "");
});

import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { AppContext } from "../../../src/app/context";
import { ImportNotice, OPEN_MS } from "../../../src/app/frame/ImportNotice";
import { startApp } from "../../state/app";

afterEach(() => {
  vi.useRealTimers();
});

async function imported() {
  const { store, actions, state } = await startApp();
  await actions.importFile({ file: new Blob(["x".repeat(90)]), name: "a.csv" });
  // The list of facts loads on demand.
  await import("../../../src/views/import/ImportSummary");
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.useFakeTimers();
  render(
    <AppContext value={{ store, actions }}>
      <ImportNotice onAgain={vi.fn()} />
    </AppContext>,
  );
  await act(() => vi.advanceTimersByTimeAsync(0));
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  return { pass, state, store };
}

const summary = () => screen.queryByRole("region", { name: /a\.csv/ });

test("the_summary_of_an_import_folds_to_a_button_that_opens_it", async () => {
  const { pass, state } = await imported();
  await pass(OPEN_MS - 10);
  expect(summary()).not.toBeNull();
  await pass(20);
  expect(summary()).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "import" }));
  await pass(0);
  expect(summary()).not.toBeNull();
  expect(state().showsImport).toBe(true);
});

test("the_summary_stays_while_it_is_read", async () => {
  const { pass } = await imported();
  const inside = summary()?.parentElement;
  if (!inside) throw new Error("There is no summary.");
  fireEvent.pointerEnter(inside);
  await pass(3 * OPEN_MS);
  expect(summary()).not.toBeNull();
  fireEvent.pointerLeave(inside);
  screen.getByRole("button", { name: "Close" }).focus();
  await pass(3 * OPEN_MS);
  expect(summary()).not.toBeNull();
});

test("the_summary_does_not_cover_the_totals", async () => {
  const { pass, state, store } = await imported();
  const choices = { ...state().choices, replay: { totals: "counters" } };
  act(() => store.setState({ choices }));
  await pass(10);
  expect(summary()).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "import" }));
  await pass(10);
  expect(summary()).not.toBeNull();
});

/** Helpers of the tests of the running app: they wait for it, read its state and give it files. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { StepView } from "../../src/engine/generated/StepView";
import type { AppState } from "../../src/state/store";

/** Resolves when a replay is on the screen and no task is under way. */
export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const state = window.__pagewalk?.store.getState();
    return (
      state?.snapshot !== undefined &&
      !state.stale &&
      state.task === undefined &&
      state.timeline !== undefined
    );
  });
}

/** Returns a part of the state. It is sent as JSON, which cannot hold the snapshot's columns of 64-bit numbers. */
export async function state<K extends Exclude<keyof AppState, "snapshot">>(
  page: Page,
  key: K,
): Promise<AppState[K]> {
  const json = await page.evaluate((name: string) => {
    const app = window.__pagewalk;
    if (!app) throw new Error("The address lacks ?test.");
    const entry = Object.entries(app.store.getState()).find(
      ([key]) => key === name,
    );
    return JSON.stringify({ value: entry?.[1] as unknown });
  }, key);
  // The page runs the same program, so the value of this key has this type.
  return (JSON.parse(json) as { value: AppState[K] }).value;
}

/** Returns the view of the shown access. */
export async function step(page: Page): Promise<StepView> {
  const shown = await page.evaluate(
    () => window.__pagewalk?.store.getState().snapshot?.step,
  );
  if (!shown) throw new Error("Nothing is shown.");
  return shown;
}

export async function cursor(page: Page): Promise<number> {
  // The pictures follow the cursor: both must have arrived.
  await page.waitForFunction(() => {
    const state = window.__pagewalk?.store.getState();
    return state?.snapshot?.step.index === state?.cursor;
  });
  return state(page, "cursor");
}

/** Returns the address after `#`, once it contains this text. Playwright's copy of the address may be older. */
export async function hashWith(page: Page, part: string): Promise<string> {
  await page.waitForFunction((part) => location.hash.includes(part), part);
  return page.evaluate(() => location.hash);
}

/** Waits until the element is on the screen and its text contains `part`. */
export async function says(where: Locator, part: string | RegExp) {
  await where.waitFor();
  const text = expect.poll(() => where.textContent());
  await (typeof part === "string" ? text.toContain(part) : text.toMatch(part));
}

/** Drops a file with this text, or these bytes, in the middle of the page. */
export async function drop(
  page: Page,
  name: string,
  content: string | Uint8Array,
): Promise<void> {
  // Bytes cross to the page as numbers.
  const part = typeof content === "string" ? content : [...content];
  const transfer = await page.evaluateHandle(
    ([name, part]) => {
      const data = new DataTransfer();
      const bytes = typeof part === "string" ? part : Uint8Array.from(part);
      data.items.add(new File([bytes], name));
      return data;
    },
    [name, part] as const,
  );
  const target = page.locator("body");
  await target.dispatchEvent("dragover", { dataTransfer: transfer });
  await target.dispatchEvent("drop", { dataTransfer: transfer });
}

/** Opens a screen of the menu “More”. */
export async function openMore(page: Page, screen: string): Promise<void> {
  await page.getByRole("button", { name: /^More/ }).click();
  const menu = page.getByRole("dialog", { name: "More screens" });
  await menu.getByRole("link", { name: screen, exact: true }).click();
}

/** Returns lackey lines: loads of these pages, one after the other. */
export function lackey(pages: readonly number[]): string {
  const lines = pages.map((page) => ` L ${(page * 4096).toString(16)},8\n`);
  return lines.join("");
}

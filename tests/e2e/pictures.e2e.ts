import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ready, state } from "./app";
import { seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

/** Chooses an item of a picture's menu, which stays open, and returns the saved file. */
async function saved(page: Page, what: string, choice: string) {
  const menu = page.getByRole("dialog", { name: `Save “${what}”` });
  const waiting = page.waitForEvent("download");
  // “Copy picture” is a PNG, too.
  const name = new RegExp(`^${choice}`);
  await menu.getByRole("button", { name }).click();
  const download = await waiting;
  return {
    name: download.suggestedFilename(),
    bytes: await readFile(await download.path()),
  };
}

/** Width and height that the head of a PNG states. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test("a_picture_of_drawings_canvases_and_text_stands_alone", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  const what = "Outcome over time";
  await page.getByRole("button", { name: `Save “${what}”` }).click();
  const svg = await saved(page, what, "SVG");
  expect(svg.name).toBe(
    "chase-2048-4096-10000-intel-skylake-sp-outcome-over-time.svg",
  );
  const text = svg.bytes.toString();
  expect(text).not.toMatch(/var\(|class=|<script|foreignObject/);
  // The picture contains everything that it refers to: patterns by their ids, the heat map as data.
  const ids = [...text.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) expect(text).toContain(` id="${id}"`);
  const links = [...text.matchAll(/href="([^"]{5})/g)].map(([, to]) => to);
  expect(new Set(links)).toEqual(new Set(["data:"]));
  expect(text).toContain(">STLB hit<");

  const size = /^<svg[^>]* width="(\d+)" height="(\d+)"/.exec(text);
  const png = await saved(page, what, "PNG");
  expect(sizeOf(png.bytes)).toEqual(
    size?.slice(1).map((side) => 2 * Number(side)),
  );

  const bins = await saved(page, what, "CSV bins");
  const lines = bins.bytes.toString().trim().split("\n");
  const timeline = await state(page, "timeline");
  expect(lines).toHaveLength(1 + (timeline?.view.bins ?? 0));
  expect(problems).toEqual([]);
});

test("the_menu_of_a_picture_is_used_by_keys_and_copies_the_link", async () => {
  const { page } = await visit("?test", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await ready(page);
  const opener = page.getByRole("button", { name: "Save “Outcome over time”" });
  await opener.focus();
  await page.keyboard.press("Enter");
  const menu = page.getByRole("dialog", { name: "Save “Outcome over time”" });
  await menu.waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await menu.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    "trace=chase",
  );
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });
});

/** The walk panel in the browser: steps by keyboard, cold walks, the native walk beside a guest's. */
import { expect, test } from "vitest";
import { hashWith, ready, says, state, step } from "./app";
import { useBrowser } from "./browser";

const visit = useBrowser();

test("a_native_walk_is_stepped_by_keyboard_from_the_first_to_the_last_reference", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  const { index } = await step(page);
  await page.getByRole("switch", { name: "walk caches" }).click();
  await page.getByRole("switch", { checked: false }).waitFor();
  await ready(page);
  await page.getByRole("listbox", { name: "Tables of the walk" }).focus();
  await page.keyboard.press("Home");
  const band = page.getByRole("region", { name: "Step of the walk" });
  const lit = page.locator("[data-lit]");
  const shift = [39, 30, 21, 12];
  for (const [at, name] of ["PML4", "PDPT", "PD", "PT"].entries()) {
    await says(band, `${name} entry`);
    await says(band, `step ${at + 1} of 5`);
    await says(band, new RegExp(`>> ${shift[at]} & 511 = \\d+`));
    await says(band, /0x\w+ \+ \d+ × 8 = 0x\w+/);
    expect(await lit.getAttribute("data-lit")).toBe(String(4 - at));
    await page.keyboard.press("ArrowRight");
  }
  await says(band, "Physical address = frame + offset");
  expect(await lit.getAttribute("data-lit")).toBe("offset");
  await page.keyboard.press("ArrowRight");
  await says(band, "5 steps");
  // The replay has not moved.
  expect((await step(page)).index).toBe(index);
  expect(problems).toEqual([]);
});

test("cold_walks_read_all_24_entries_and_come_back", async () => {
  const { page } = await visit("?test#virt=ept&pages=4K&host=4K");
  await ready(page);
  const before = (await state(page, "configuration"))?.setup.machine;
  const caches = page.getByRole("switch", { name: "walk caches" });
  await caches.click();
  await page.getByText("24 of 24 references read").waitFor();
  expect(await hashWith(page, "machine=")).toContain("machine=");
  await caches.click();
  await page.getByRole("switch", { checked: true }).waitFor();
  await expect
    .poll(async () => (await state(page, "configuration"))?.setup.machine)
    .toEqual(before);
});

test("the_native_walk_stands_beside_that_of_a_guest", async () => {
  const { page } = await visit("?test#virt=ept&pages=4K&host=4K");
  await ready(page);
  const { index } = await step(page);
  await page.getByRole("button", { name: "compare with native" }).click();
  await page
    .getByText(/^EPT \d+ references?, .* · native \d+ references?, /)
    .waitFor();
  await page.getByRole("heading", { name: "Nested walk" }).waitFor();
  await page.getByRole("heading", { name: "Walk", exact: true }).waitFor();
  expect((await state(page, "compare")).at).toBe(index);
  expect(await hashWith(page, "view=first:walks")).toContain("right=");
});

import { expect, test } from "vitest";
import { openMore, ready } from "./app";
import { looksWell, useBrowser } from "./browser";

const visit = useBrowser();

const SCREEN = "?test#screen=measure";

test("a_measurement_runs_in_the_page_and_has_a_chart_and_models", async () => {
  const { page, problems } = await visit("?test");
  await ready(page);
  await openMore(page, "Measure");
  await page
    .getByRole("heading", { name: "What is going to happen" })
    .waitFor();
  await page.getByRole("radio", { name: "10 s" }).check();
  await page.getByRole("button", { name: "Measure this computer" }).click();
  await page.getByRole("progressbar").waitFor();
  const again = page.getByRole("button", { name: "Measure again" });
  await again.waitFor({ timeout: 120_000 });
  // On a loaded computer, noise can hide the steps. Then the sentences say so.
  await page.getByText("Cost of one translation").first().waitFor();
  await expect.poll(() => page.title()).toBe("Measure · Pagewalk");
  await looksWell(page);
  expect(problems).toEqual([]);
}, 180_000);

test("a_measurement_can_be_cancelled", async () => {
  const { page } = await visit(SCREEN);
  await ready(page);
  await page.getByRole("button", { name: "Measure this computer" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Cancelled").waitFor();
  await page.getByRole("button", { name: "Measure this computer" }).waitFor();
});

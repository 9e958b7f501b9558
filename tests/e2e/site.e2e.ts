import { expect, test } from "vitest";
import { seriousViolations, useBrowser } from "./browser.ts";

const visit = useBrowser();

test("the_site_loads_from_a_sub_path_without_a_problem", async () => {
  const { page, problems } = await visit();
  await page.locator("main").first().waitFor();
  expect(await page.title()).toContain("Pagewalk");
  expect(problems).toEqual([]);
});

test.each(["light", "dark"] as const)(
  "axe_finds_nothing_serious_in_the_%s_theme",
  async (colorScheme) => {
    const { page } = await visit("", { colorScheme });
    await page.locator("main").first().waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  },
);

test("a_stored_theme_wins_over_the_system", async () => {
  const { page } = await visit("", { colorScheme: "light" });
  await page.evaluate(() => localStorage.setItem("pagewalk.theme", "dark"));
  await page.reload();
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
});

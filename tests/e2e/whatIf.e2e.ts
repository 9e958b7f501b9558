import { expect, test } from "vitest";
import { ready, state } from "./app";
import { seriousViolations, useBrowser } from "./browser";

const visit = useBrowser();

test("a_larger_array_is_tried_undone_and_opened_as_a_replay", async () => {
  const { page, problems } = await visit("?test#screen=what-if");
  await ready(page);
  const screen = page.getByTestId("what-if");
  await screen.getByRole("slider", { name: /^Entries, over/ }).waitFor();
  const ways = screen.getByRole("slider", { name: /^STLB, ways/ });
  await ways.focus();
  await page.keyboard.press("ArrowRight");
  const effect = screen.getByRole("region", { name: "Effect" });
  await effect.getByText(/Effect of 1 change/).waitFor();
  await page.waitForFunction(
    () => /whatif=/.test(location.hash) && /what-if/.test(location.hash),
  );
  await effect.getByRole("button", { name: /^Undo/ }).click();
  await effect.getByText("As the machine is, all accesses").waitFor();
  await screen.getByRole("button", { name: /^128 sets × 16 ways/ }).click();
  await effect.getByRole("button", { name: "Open as a replay" }).click();
  await ready(page);
  const configuration = await state(page, "configuration");
  expect(configuration?.setup.machine.l2[0]).toMatchObject({
    entries: 2048,
    ways: 16,
  });
  expect(await state(page, "screen")).toBe("replay");
  expect(problems).toEqual([]);
});

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

test.each(["light", "dark"] as const)(
  "axe_finds_nothing_serious_in_what_if_in_the_%s_theme",
  async (colorScheme) => {
    const address = "?test#screen=what-if";
    for (const viewport of sizes) {
      const { page } = await visit(address, { colorScheme, viewport });
      await ready(page);
      await page.getByText(/^Start with/).waitFor();
      expect(await seriousViolations(page), `${viewport.width}`).toEqual([]);
      const width = await page.evaluate(
        () => document.documentElement.scrollWidth,
      );
      expect(width).toBeLessThanOrEqual(viewport.width);
    }
  },
);

import { expect, test } from "vitest";
import { cursor, drop, lackey, ready, says, state, step } from "./app";
import { useBrowser } from "./browser";

const visit = useBrowser();

test("a_trap_is_told_and_the_app_goes_on_with_machine_trace_and_position", async () => {
  const { page } = await visit("?test#cpu=amd-zen2&pages=2M");
  await ready(page);
  await drop(page, "mine.lackey", lackey([1, 600, 3, 1, 2, 1200, 4, 5]));
  await page.getByTestId("import-summary").waitFor();
  await ready(page);
  await page.keyboard.press("End");
  await expect.poll(() => cursor(page)).toBe(7);
  const before = await step(page);

  await page.evaluate(() => window.__pagewalk?.actions.crash());
  await says(page.getByTestId("notice"), /restarted.*access 7\./);
  await ready(page);
  expect(await state(page, "trace")).toMatchObject({ name: "mine.lackey" });
  expect((await state(page, "machine"))?.name).toBe("Zen 2");
  expect(await step(page)).toEqual(before);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => cursor(page)).toBe(6);
});

test("it_survives_trap_after_trap", async () => {
  const { page } = await visit("?test");
  await ready(page);
  for (let n = 0; n < 3; n++)
    await page.evaluate(() => window.__pagewalk?.actions.crash());
  await ready(page);
  const at = await cursor(page);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => cursor(page)).toBe(at + 1);
});

test("a_worker_that_ends_without_a_word_is_replaced", async () => {
  const { page } = await visit("?test");
  await ready(page);
  // The whole module is there, so nothing else is under way.
  await expect
    .poll(async () => (await state(page, "cpus"))[0]?.provenance.length)
    .toBeGreaterThan(0);
  const first = await cursor(page);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => cursor(page)).toBe(first + 1);
  const at = await cursor(page);
  const [worker] = page.workers();
  await worker?.evaluate(() => globalThis.close());
  // A key that is pressed while the simulator restarts moves nothing.
  const move = async () => {
    await page.keyboard.press("ArrowRight");
    return cursor(page);
  };
  await expect.poll(move).toBeGreaterThan(at);
});

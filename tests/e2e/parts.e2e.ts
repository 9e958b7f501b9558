/** Parts of the site that load later, and are gone. */
import { expect, test } from "vitest";
import { ready, says } from "./app";
import { useBrowser } from "./browser";

const visit = useBrowser();

test("a_screen_that_is_gone_says_so_and_the_rest_of_the_page_stays", async () => {
  const { page } = await visit("?test");
  await ready(page);
  await page.route(/MeasuredScreen/, (route) => route.fulfill({ status: 404 }));
  await page.evaluate(() => (location.hash = "screen=measured"));
  const alert = page.getByRole("main").getByRole("alert");
  await says(alert, "There is a new version, or no connection");
  await alert.getByRole("button", { name: "Reload" }).waitFor();
  await page.getByRole("link", { name: "Replay" }).click();
  await page.getByTestId("access").waitFor();
  expect(await alert.count()).toBe(0);
});

test("a_dialog_that_is_gone_is_told_and_the_picture_stays", async () => {
  const { page } = await visit("?test");
  await ready(page);
  await page.route(/KeysDialog/, (route) => route.abort());
  // A click waits for the page. A key that is pressed too early is lost.
  await page.getByRole("button", { name: "Help" }).click();
  // The control bar has a button of this name, too, which the open menu makes inert.
  const menu = page.getByRole("dialog", { name: "Help" });
  await menu.getByRole("button", { name: "Keys" }).click();
  await says(page.getByTestId("notice"), "There is a new version");
  expect(await page.getByTestId("access").count()).toBe(1);
});

test("actions_that_are_gone_are_told", async () => {
  const { page } = await visit("?test#screen=compare");
  await ready(page);
  await page.route(/models-/, (route) => route.abort());
  await page.evaluate(() => void window.__pagewalk?.actions.runModels());
  await says(page.getByTestId("notice"), "There is a new version");
});

import axe from "axe-core";
import { chromium } from "playwright-core";
import type {
  Browser,
  BrowserContextOptions,
  Locator,
  Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import {
  CHROMIUM_MISSING,
  findTestChromium,
} from "../../scripts/lib/chromium.mjs";
import { PATIENCE_MS } from "./patience";

export interface Visit {
  page: Page;
  /** Errors that the page logged or threw, and failed requests, in order. */
  problems: string[];
  /** The addresses of all requests of the page, in order. */
  requests: string[];
}

/** Tests are returning visitors, whom no first screen greets. */
export interface VisitOptions extends BrowserContextOptions {
  readonly isNewcomer?: boolean;
  /** The address of the site, if it is not that of all tests. */
  readonly site?: string;
}

/**
 * One browser serves the tests of a file. Each visit has a separate context (storage, cache), which ends with
 * its test.
 */
export function useBrowser(args: string[] = []) {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = findTestChromium();
    if (!executablePath) throw new Error(CHROMIUM_MISSING);
    browser = await chromium.launch({
      executablePath,
      args,
      // Chromium's sandbox does not run as root, which most containers use.
      chromiumSandbox: process.getuid?.() !== 0,
    });
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  afterAll(() => browser.close());

  return async function visit(
    where = "",
    {
      site = inject("site"),
      isNewcomer = false,
      ...options
    }: VisitOptions = {},
  ): Promise<Visit> {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      // A service worker would answer requests that a test answers itself.
      serviceWorkers: "block",
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    if (!isNewcomer) await context.addInitScript(rememberVisit);
    const page = await context.newPage();
    const problems = watch(page);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(site + where);
    return { page, problems, requests };
  };
}

function rememberVisit() {
  try {
    localStorage.setItem("pagewalk.welcome", "seen");
  } catch {
    // The frame of programs has no storage.
  }
}

/** Leaves the page and loads the site again, with the browser's stored data. */
export async function reopen(page: Page, where: string): Promise<void> {
  // To go to another hash of the same page would not load it.
  await page.goto("about:blank");
  await page.goto(inject("site") + where);
}

function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("response", (response) => {
    if (response.status() >= 400)
      problems.push(`${response.status()} ${response.url()}`);
  });
  return problems;
}

/**
 * Waits until the pictures belong to the configuration and to the size of the window, and no element fades any more.
 */
export async function settled(page: Page): Promise<void> {
  // Sizes are measured in one frame, and pictures of the new size are drawn in the next.
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(resolve)),
      ),
  );
  await page.waitForFunction(
    () =>
      !document.querySelector("[data-stale]") &&
      !document
        .getAnimations()
        // A bar of progress moves without end.
        .some(({ effect }) => effect?.getComputedTiming().endTime !== Infinity),
  );
}

/** Returns the position of an element in the window, once it no longer moves. Content that loads late may move it. */
export async function boxOf(locator: Locator) {
  await settled(locator.page());
  const element = await locator.elementHandle();
  await element.waitForElementState("stable");
  const box = await element.boundingBox();
  if (!box) throw new Error("It is not on the screen.");
  return box;
}

/** The rules of axe-core that read colours. All others have the same findings in both themes. */
const RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"];

/**
 * Returns the findings of axe-core that are serious or worse, one per line, after all loading and animation has
 * ended. Without `rules`, all rules of axe-core are checked.
 */
export async function seriousViolations(
  page: Page,
  rules?: string[],
): Promise<string[]> {
  await settled(page);
  if (!(await page.evaluate(() => "axe" in globalThis)))
    await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (rules) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        // Passed rules need no list of elements.
        resultTypes: ["violations"],
        ...(rules && { runOnly: rules }),
      }),
    rules,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) =>
        [id, target.join(" "), failureSummary ?? ""].join(" · "),
      ),
    );
}

/** The sizes of a desktop screen, a small notebook and a phone. */
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

/** At each of these sizes, in both themes, axe-core finds nothing serious and nothing is wider than the window. */
export async function looksWell(
  page: Page,
  sizes: readonly { width: number; height: number }[] = SIZES,
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const where = `${size.width} px, ${colorScheme}`;
      const rules = colorScheme === "dark" ? RULES_OF_COLOUR : undefined;
      expect(await seriousViolations(page, rules), where).toEqual([]);
    }
    expect(await neededWidth(page)).toBeLessThanOrEqual(size.width);
  }
}

/** Returns the width of the whole page in CSS pixels. */
export function neededWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}

/** Returns the height of the whole page in CSS pixels. */
export function neededHeight(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight);
}

/**
 * Returns the texts inside `where` that their boxes or choices cut, after loading and animation. The names of traces have any
 * length, so they may end in an ellipsis.
 */
export async function cutTexts(page: Page, where: string): Promise<string[]> {
  await settled(page);
  return page.evaluate((where) => {
    const roots = [...document.querySelectorAll(where)];
    // A choice cuts its text without an overflow.
    const isCutChoice = (choice: HTMLSelectElement) => {
      const whole = choice.cloneNode(true) as HTMLSelectElement;
      whole.value = choice.value;
      whole.style.cssText =
        "position: absolute; max-width: none; field-sizing: content";
      choice.after(whole);
      const isCut = whole.offsetWidth > choice.offsetWidth + 1;
      whole.remove();
      return isCut;
    };
    const isCut = (element: Element) => {
      if (element instanceof HTMLSelectElement) return isCutChoice(element);
      const { overflowX } = getComputedStyle(element);
      return (
        (element.role === "tablist" || /hidden|clip/.test(overflowX)) &&
        element.clientWidth > 1 &&
        element.scrollWidth > element.clientWidth + 1
      );
    };
    return roots
      .flatMap((root) => [...root.querySelectorAll("*")])
      .filter((element) => element.checkVisibility())
      .filter((element) => !element.closest(".visually-hidden, .trace-name"))
      .filter((element) => element.textContent.trim() !== "" && isCut(element))
      .map((element) => element.textContent.trim());
  }, where);
}

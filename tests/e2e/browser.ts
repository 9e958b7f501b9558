import axe from "axe-core";
import { chromium } from "playwright-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { CHROMIUM_MISSING, findChromium } from "../../scripts/lib/chromium.mjs";

export interface Visit {
  page: Page;
  /** Errors that the page logged, threw or met on the network, in order. */
  problems: string[];
}

/** How long a page may take for anything, in milliseconds: a slow machine is no error. */
export const PATIENCE_MS = 90_000;

/**
 * One browser for the tests of a file; each visit has a context (storage, cache) of its own, which ends with its test.
 */
export function useBrowser() {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = findChromium();
    if (!executablePath) throw new Error(CHROMIUM_MISSING);
    browser = await chromium.launch({
      executablePath,
      // Chromium's sandbox refuses to run as root, as in most containers.
      chromiumSandbox: process.getuid?.() !== 0,
    });
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  afterAll(() => browser.close());

  return async function visit(
    where = "",
    options: BrowserContextOptions = {},
  ): Promise<Visit> {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const problems = watch(page);
    await page.goto(inject("site") + where);
    return { page, problems };
  };
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

/** Waits until what is shown belongs to the configuration, and nothing fades any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !document.querySelector("[data-stale]") &&
      !document
        .getAnimations()
        .some((animation) => animation instanceof CSSTransition),
  );
}

/** What axe-core finds serious or worse once all is settled, one line each, empty when all is well. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await settled(page);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(),
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) =>
        [id, target.join(" "), failureSummary ?? ""].join(" · "),
      ),
    );
}

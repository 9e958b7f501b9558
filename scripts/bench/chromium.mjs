// Measurements in a browser: the wasm module in a page, and the speed of the site.
import path from "node:path";
import { dist, root } from "../lib/paths.mjs";
import { serve } from "../lib/server.mjs";
import { measureCompilation } from "./compiler.mjs";
import { measureFrames } from "./frames.mjs";
import { keepMemory, measureLongImport } from "./longImport.mjs";
import { measurePacking } from "./packing.mjs";
import { measureSlider } from "./slider.mjs";

const VIEWPORT = { width: 1440, height: 900 };

/** Runs `work(browser)`. playwright-core is available only after the packages are installed. */
export async function withBrowser(executablePath, work, args = []) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath,
    args,
    // Chromium's sandbox does not run as root, which most containers use.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Runs the measurements of `measureInNode` in a page. */
export function measureInChromium(browser, job) {
  return withSite(served, async (url) => {
    const page = await browser.newPage();
    await page.goto(`${url}scripts/bench/page.html`);
    const imports = job.imports.map((input) => ({
      ...input,
      file: addressOf(input.file),
    }));
    return page.evaluate(
      async (job) => {
        const { measureInPage } = await import("./page.js");
        return measureInPage(job);
      },
      { ...job, recorded: addressOf(job.recorded), imports },
    );
  });
}

/**
 * The path of the whole repository, without the slash at the end, which the path of a served folder must not have.
 */
const served = path.resolve(root);
const addressOf = (file) =>
  `/${path.relative(root, file).split(path.sep).join("/")}`;

/**
 * Visits the built site as a new user, several times. @returns {Promise<{firstPaintMs: number, interactiveMs:
 * number}[]>} since the navigation began
 */
export function measureSite(browser, visits) {
  return withSite(dist, async (url) => {
    const measured = [];
    for (let i = 0; i < visits; i += 1) {
      // A new context has no stored or cached data.
      const context = await browser.newContext({ viewport: VIEWPORT });
      const page = await context.newPage();
      await page.goto(`${url}?test`);
      measured.push(await whenReady(page));
      await context.close();
    }
    return measured;
  });
}

/**
 * Imports a file of 2 GB in the built site.
 * @param {string} recorded trace (c)
 */
export function measureLongFile(browser, recorded) {
  const options = { folder: served, where: "dist/?test", prepare: keepMemory };
  return withPage(browser, options, (page) =>
    measureLongImport(page, addressOf(recorded)),
  );
}

/**
 * Moves sliders of the built site's what-if screen.
 * @param {string} recorded trace (c)
 */
export function measureSliders(browser, recorded) {
  const options = { folder: served, where: "dist/?test" };
  return withPage(browser, options, (page) =>
    measureSlider(page, addressOf(recorded)),
  );
}

/** Compiles a program in the built site, which has just loaded the compiler, and then again. */
export function measureCompiler(browser, repetitions) {
  const options = { folder: dist, where: "?test" };
  return withPage(browser, options, (page) =>
    measureCompilation(page, repetitions),
  );
}

/** Runs and packs programs in the built site. */
export function measurePacked(browser, repetitions) {
  const options = { folder: dist, where: "?test" };
  return withPage(browser, options, (page) =>
    measurePacking(page, repetitions),
  );
}

/** Plays a replay in the built site. */
export function measurePlaying(browser) {
  const options = { folder: dist, where: "?test#trace=chase" };
  return withPage(browser, options, measureFrames);
}

/** Opens the site for one measurement. */
function withPage(browser, { folder, where, prepare }, work) {
  return withSite(folder, async (url) => {
    const context = await browser.newContext({
      viewport: VIEWPORT,
      // A service worker would store the files of the site meanwhile.
      serviceWorkers: "block",
    });
    await prepare?.(context);
    const page = await context.newPage();
    await page.goto(url + where);
    await whenReady(page);
    const result = await work(page);
    await context.close();
    return result;
  });
}

/** Waits until the opening access and its timeline are shown, and no task is under way. */
async function whenReady(page) {
  const handle = await page.waitForFunction(() => {
    const state = globalThis.__pagewalk?.store.getState();
    const isReady =
      state?.snapshot !== undefined &&
      !state.stale &&
      state.task === undefined &&
      state.timeline !== undefined;
    if (!isReady) return undefined;
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return paint && [paint.startTime, performance.now()];
  });
  const [firstPaintMs, interactiveMs] = await handle.jsonValue();
  return { firstPaintMs, interactiveMs };
}

async function withSite(folder, work) {
  const server = await serve(folder);
  try {
    return await work(server.url);
  } finally {
    server.close();
  }
}

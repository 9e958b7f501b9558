/** `pagewalk open`: the program serves the site and a trace, and the page shows it. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { dist, simCore } from "../../scripts/lib/paths.mjs";
import { serve } from "../../scripts/lib/server.mjs";
import { cursor, hashWith, lackey, ready, says, state } from "./app";
import { looksWell, useBrowser } from "./browser";

const visit = useBrowser();

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** The program that the tests of the command line have built. */
function program(): string {
  const target = process.env["CARGO_TARGET_DIR"] ?? `${simCore}/target`;
  const file = path.join(target, "debug", "pagewalk");
  if (!existsSync(file))
    throw new Error(`There is no ${file}: run \`cargo build\` in sim-core.`);
  return file;
}

/** Serves a trace with these lines, and returns its file and the address of its page. */
async function open(lines: string, ...options: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), "pagewalk-open-"));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "my tree.lackey");
  writeFileSync(file, lines);
  const words = ["open", file, "--no-browser", ...options];
  return { folder, file, ...(await start(words)) };
}

async function start(words: readonly string[]) {
  const server = spawn(program(), words, {
    env: { ...process.env, PAGEWALK_SITE: dist },
    stdio: ["ignore", "ignore", "pipe"],
  });
  cleanUps.push(() => server.kill());
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    server.stderr.on("data", (part) => {
      said += String(part);
      const [, url] = /open at (\S+)\n/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    server.on("close", () => reject(new Error(said)));
  });
  const [site = "", token] = address.split("?opened=");
  return { site, token, where: token ? `?opened=${token}&test` : "?test" };
}

const name = async (page: Page) => (await state(page, "trace"))?.name;

/**
 * Returns the summary of the import, or opens it again if it is folded. Both happen in one step of the page, since
 * the summary folds after some seconds and a slow machine needs as long for each step.
 */
const importSummary = (page: Page) =>
  page.evaluate(() => {
    const summary = document.querySelector('[data-testid="import-summary"]');
    const folded = [...document.querySelectorAll("button")].find((button) =>
      button.title.startsWith("What was imported"),
    );
    if (!summary) folded?.click();
    return summary?.textContent ?? "";
  });

const LINES = lackey([1, 2, 3, 1, 2, 3, 4, 5]);

test("a_file_opens_in_the_replay_and_the_address_loses_its_token", async () => {
  const { site, where, token = "" } = await open(LINES);
  const { page, problems, requests } = await visit(where, { site });
  await ready(page);
  expect(await name(page)).toBe("my tree.lackey");
  await expect.poll(() => importSummary(page)).toContain("8 loads");
  expect(await page.title()).toContain("my tree.lackey");
  expect(page.url()).not.toContain(token);
  await hashWith(page, "file=my");
  expect(requests.filter((url) => /^http/.test(url))).toEqual(
    requests.filter((url) => url.startsWith(site)),
  );
  await looksWell(page);
  expect(problems).toEqual([]);
});

test("a_page_that_is_loaded_again_shows_the_same_access", async () => {
  const { site, where } = await open(LINES);
  const { page, problems } = await visit(where, { site });
  await ready(page);
  await page.keyboard.press("End");
  await hashWith(page, "access=7");
  await page.reload();
  await ready(page);
  expect(await name(page)).toBe("my tree.lackey");
  expect(await cursor(page)).toBe(7);
  expect(problems).toEqual([]);
});

test("the_browser_keeps_no_trace_and_no_worker", async () => {
  const { site, where } = await open(LINES);
  const { page, problems } = await visit(where, {
    site,
    serviceWorkers: "allow",
  });
  await ready(page);
  await expect.poll(async () => (await state(page, "kept"))?.length).toBe(1);
  // A page that is loaded again reads what the browser has kept.
  const left = await page.evaluate(async () => ({
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    caches: await caches.keys(),
  }));
  expect(left).toEqual({ workers: 0, caches: [] });
  const traces = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const request = indexedDB.open("pagewalk");
        request.onerror = () => resolve(-1);
        request.onsuccess = () => {
          const db = request.result;
          if (!db.objectStoreNames.contains("files")) {
            resolve(0);
            return;
          }
          const count = db.transaction("files").objectStore("files").count();
          count.onsuccess = () => resolve(count.result);
        };
      }),
  );
  expect(traces).toBe(0);
  expect(problems).toEqual([]);
});

test("another_page_of_the_browser_cannot_read_the_trace", async () => {
  const { site, where } = await open(LINES);
  const { page } = await visit(where, { site });
  await ready(page);
  const other = await visit("?test");
  const read = await other.page.evaluate(
    (address) => fetch(address).then(String, () => "refused"),
    `${site}trace`,
  );
  expect(read).toBe("refused");
  const fresh = await visit("?test", { site });
  await ready(fresh.page);
  expect(await state(fresh.page, "builtIn")).toBe("chase");
});

test("a_file_that_is_gone_is_said_on_the_page", async () => {
  const { site, where, file } = await open(LINES);
  rmSync(file);
  const { page } = await visit(where, { site });
  // No example takes the place of the trace.
  await page
    .getByRole("main")
    .getByText("my tree.lackey: there is no such file.")
    .waitFor();
  expect(await state(page, "trace")).toBeUndefined();
  await looksWell(page);
});

test("a_long_import_shows_its_progress", async () => {
  const pages = Array.from({ length: 400_000 }, (_, i) => (i * 7919) % 9973);
  const { site, where } = await open(lackey(pages).repeat(4));
  const { page, problems } = await visit(where, { site });
  const progress = page.getByTestId("import-progress");
  await says(progress, "Reading my tree.lackey");
  await ready(page);
  expect((await state(page, "trace"))?.n_accesses).toBe(1_600_000);
  expect(problems).toEqual([]);
});

test("without_a_file_the_site_opens_with_an_example", async () => {
  const { site, where } = await start(["open", "--no-browser"]);
  const { page, problems } = await visit(where, { site });
  await ready(page);
  expect(await state(page, "builtIn")).toBe("chase");
  expect(problems).toEqual([]);
});

test("a_worker_of_another_site_at_the_port_answers_nothing", async () => {
  const before = await serve(dist, { port: 4480 });
  const options = { site: before.url, serviceWorkers: "allow" } as const;
  const { page } = await visit("?test", options);
  await ready(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await before.close();
  const { port, hostname } = new URL(before.url);
  const { site, where } = await open(LINES, "--port", port);
  await page.goto(site.replace("127.0.0.1", hostname) + where);
  await ready(page);
  expect(await name(page)).toBe("my tree.lackey");
});

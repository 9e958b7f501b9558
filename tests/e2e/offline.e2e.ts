/** The site without its host, and a new version of it. Each test serves files of its own. */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { dist } from "../../scripts/lib/paths.mjs";
import { serve } from "../../scripts/lib/server.mjs";
import { ready, says, state } from "./app";
import { useBrowser } from "./browser";

const visit = useBrowser();

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** Serves a folder, and opens its site in a browser that has kept all files. */
async function visitKept(folder: string) {
  const server = await serve(folder, { port: 4400, prefix: "/deep/path/" });
  cleanUps.push(() => server.close());
  const options = { site: server.url, serviceWorkers: "allow" } as const;
  const there = await visit("?test", options);
  await ready(there.page);
  await there.page.waitForFunction(() => navigator.serviceWorker.controller);
  const open = async (where: string) => {
    await there.page.goto("about:blank");
    await there.page.goto(server.url + where);
  };
  return { ...there, open, server };
}

test("after_the_first_visit_everything_works_without_the_host", async () => {
  const { page, open, server, problems } = await visitKept(dist);
  await server.close();
  await page.context().setOffline(true);

  await page.reload();
  await ready(page);
  await open("?test#trace=ostep");
  await ready(page);
  expect((await state(page, "trace"))?.n_accesses).toBeGreaterThan(0);

  await open("?test#screen=code");
  await says(page.locator(".code-see"), "8,192 walks for 4,194,304 reads");

  await open("?test#screen=experiments&experiment=byte-array");
  await page.getByRole("button", { name: "Run it here" }).click();
  await page.getByRole("button", { name: "Run again" }).waitFor();

  await open("?test#screen=glossary");
  await says(page.locator("main"), "page-table level");

  await open("?test&embed=walk&theme=dark#trace=chase&access=2");
  await page.locator('.embed [data-object~="cache"]').first().waitFor();
  expect(problems).toEqual([]);
});

/** The number of the built version, which the tests write into the page. */
const version = (page: Page) =>
  page.evaluate(() => document.documentElement.dataset["version"]);

/** Writes another version of the site to a folder, as a new build does. */
function publish(folder: string, number: string): void {
  const change = (file: string, from: RegExp, to: string) => {
    const before = readFileSync(path.join(dist, file), "utf8");
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${file} has no ${from.source}`);
    writeFileSync(path.join(folder, file), after);
  };
  change("index.html", /<html/, `<html data-version="${number}"`);
  change("sw.js", /(?<="index\.html",revision:")\w+/, number);
}

test("a_new_version_is_offered_and_only_a_press_loads_it", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "pagewalk-dist-"));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  cpSync(dist, folder, { recursive: true });
  publish(folder, "1");
  const { page, problems } = await visitKept(folder);
  const notice = page.getByTestId("notice");
  expect(await notice.count()).toBe(0);

  publish(folder, "2");
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });
  await says(notice, "A new version is ready.");
  expect(await version(page)).toBe("1");
  // Without the press, also a page that is loaded again is the old one.
  await page.reload();
  await says(notice, "A new version is ready.");
  expect(await version(page)).toBe("1");

  await notice.getByRole("button", { name: "Reload" }).click();
  await expect.poll(() => version(page).catch(() => "")).toBe("2");
  await ready(page);
  expect(await notice.count()).toBe(0);
  expect(problems).toEqual([]);
});

const worker = () => readFileSync(path.join(dist, "sw.js"), "utf8");

/** The most bytes that the worker keeps, not compressed. */
const MOST_KEPT = 11_500_000;

test("the_worker_keeps_all_files_that_the_site_opens", () => {
  const kept = [...worker().matchAll(/\burl:"([^"]+)"/g)].map(([, url]) => url);
  const built = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      path.relative(dist, path.join(parentPath, name)),
    );
  const others = ["screenshot.png", "sw.js"];
  expect(kept.sort()).toEqual(
    built
      .filter((file) => !others.includes(file) && !file.endsWith(".pack"))
      .sort(),
  );
  const sizes = kept.map(
    (file) => readFileSync(path.join(dist, file ?? "")).length,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_KEPT);
});

test("the_licences_name_the_compiler_and_its_libraries", () => {
  const notices = readFileSync(path.join(dist, "THIRD-PARTY.txt"), "utf8");
  const named = notices.match(/(?<=^## )(@yowasp\/clang|wasi-libc|musl)/gm);
  expect(named).toEqual(["@yowasp/clang", "wasi-libc", "musl"]);
});

test("the_licences_name_each_part_of_workbox_in_the_worker", () => {
  const parts = [...worker().matchAll(/"workbox:([a-z-]+):[\d.]+"/g)].map(
    ([, part]) => `workbox-${part}`,
  );
  expect(parts).toContain("workbox-core");
  const notices = readFileSync(path.join(dist, "THIRD-PARTY.txt"), "utf8");
  const named = notices.match(/(?<=^## )workbox-[a-z-]+/gm);
  expect(named).toEqual(parts.sort());
});

test("the_manifest_is_valid_and_its_icons_have_their_sizes", async () => {
  const { page } = await visit("?test");
  const session = await page.context().newCDPSession(page);
  const { errors, data = "" } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data) as {
    icons: { src: string; sizes: string }[];
    start_url: string;
    scope: string;
  };
  expect(manifest).toMatchObject({ start_url: "./", scope: "./" });
  const drawn = manifest.icons.filter(({ src }) => src.endsWith(".png"));
  const sizes = drawn.map(({ src }) => {
    const png = readFileSync(path.join(dist, src));
    return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
  });
  expect(sizes).toEqual(drawn.map(({ sizes }) => sizes));
  expect(sizes).toHaveLength(3);
});

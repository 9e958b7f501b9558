/**
 * Tests of the limits around a program. The policy of its frame blocks all access that the code of the worker does not
 * block.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { dist } from "../../scripts/lib/paths.mjs";
import { ready, says } from "./app";
import { useBrowser } from "./browser";

// A browser on a desk gives each site a process of its own. Without windows, Chromium must be told to.
const visit = useBrowser(["--site-per-process"]);

/** Answers every request with a script for any origin, and remembers it. */
const heard: string[] = [];
const listener = createServer((request, response) => {
  heard.push(request.url ?? "");
  response.writeHead(200, {
    "access-control-allow-origin": "*",
    "content-type": "text/javascript",
  });
  response.end("export default 1;");
});
let there = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    listener.listen(0, "127.0.0.1", resolve);
  });
  there = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
afterEach(() => void heard.splice(0));
afterAll(() => listener.close());

async function open() {
  const visited = await visit("?test#screen=code");
  await visited.page.getByTestId("code").waitFor();
  await ready(visited.page);
  return visited;
}

/** Runs code as a program, and waits for the requests that it starts. The outcome of the program does not matter. */
async function run(page: Page, code: string): Promise<void> {
  await page.evaluate(async (code) => {
    window.__pagewalk?.actions.editProgram(0, { code });
    await window.__pagewalk?.actions.runProgram(0);
  }, code);
}

const WAYS = (url: string) => [
  `Function('return import("${url}/function.js")')()`,
  `(0, eval)('import("${url}/eval.js")')`,
  `Function('return import("data:text/javascript,import%20%22${url}/data.js%22")')()`,
  `(async () => {}).constructor('await import("${url}/async.js")')()`,
  `(function* () {}).constructor('yield import("${url}/generator.js")')().next()`,
];

test("the_listener_hears_a_page_without_a_policy", async () => {
  const { page } = await visit("favicon.svg");
  await page.evaluate(`import("${there}/free.js")`);
  expect(heard).toEqual(["/free.js"]);
});

test("no_program_reaches_a_listener_by_an_absolute_address", async () => {
  const { page } = await open();
  for (const way of WAYS(there)) {
    // The work gives the request time to leave.
    const wait = "let n = 0; for (let i = 0; i < 2e8; i++) n += i;";
    await run(page, `load(8); ${way}; ${wait}`);
  }
  await page.waitForTimeout(500);
  expect(heard).toEqual([]);
});

test("the_page_itself_reaches_no_other_host_and_runs_no_text", async () => {
  const { page } = await open();
  // The policy applies to code that the page runs later, but not to code that a debugger evaluates.
  const outcomes = await page.evaluate<unknown>(`
    (async () => {
      const later = () => new Promise((resolve) => setTimeout(resolve));
      const ways = {
        fetch: () => fetch("${there}/fetch"),
        module: () => import("${there}/module.js"),
        text: () => Function("return 1")(),
        worker: () => new Promise((resolve, reject) => {
          const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(1)"])));
          worker.onmessage = resolve;
          worker.onerror = reject;
        }),
        script: () => {
          const script = document.createElement("script");
          script.textContent = "window.hasRun = true";
          document.head.append(script);
          if (!window.hasRun) throw new Error();
        },
        picture: () => new Promise((resolve, reject) => {
          const picture = new Image();
          picture.onload = resolve;
          picture.onerror = reject;
          picture.src = "${there}/picture.png";
        }),
      };
      const done = [];
      for (const [name, way] of Object.entries(ways)) {
        await later();
        await Promise.resolve().then(way).then(() => done.push(name), () => {});
      }
      return done;
    })()`);
  expect(outcomes).toEqual([]);
  await page.waitForTimeout(300);
  expect(heard).toEqual([]);
});

test("the_frame_of_programs_runs_nothing_with_the_origin_of_the_site", async () => {
  const { page } = await visit("?test");
  const [file = ""] = readdirSync(path.join(dist, "assets")).filter((name) =>
    /^frame-.*\.html$/.test(name),
  );
  const found = await page.evaluate(
    async (url) => {
      const frame = document.createElement("iframe");
      frame.src = url;
      const said = new Promise<string>((resolve) => {
        addEventListener("message", ({ origin, data, source }) => {
          const isInner = source === frame.contentWindow?.[0];
          resolve(`${String(data)} from ${isInner ? origin : "the file"}`);
        });
      });
      document.body.append(frame);
      return {
        said: await said,
        scripts: frame.contentDocument?.scripts.length,
      };
    },
    `${inject("site")}assets/${file}`,
  );
  // `null` is the origin of a sandboxed frame.
  expect(found).toEqual({ said: "ready from null", scripts: 0 });
});

test("a_program_that_eats_memory_ends_and_the_page_stays", async () => {
  const { page } = await open();
  // Playwright takes the end of the frame's process for the end of the page, so another page makes the check.
  const other = await page.context().newPage();
  await other.goto(inject("site") + "favicon.svg");
  const said = other.evaluate(
    () =>
      new Promise<string>((resolve) => {
        new BroadcastChannel("test").onmessage = ({ data }) =>
          resolve(String(data));
      }),
  );
  await page.evaluate(() => {
    const { store, actions } = window.__pagewalk ?? {};
    store?.subscribe(({ codeScreen }) => {
      const run = codeScreen?.programs[0].run;
      if (run?.status === "failed")
        new BroadcastChannel("test").postMessage(run.problem.message);
    });
    // Playwright fails if the process ends before all frames have loaded: the work gives them time.
    const work = "let n = 0; for (let i = 0; i < 5e8; i++) n += i;";
    const code = `load(1); ${work} ('x'.repeat(1 << 28) + 1).split('');`;
    actions?.editProgram(0, { code });
    void actions?.runProgram(0);
  });
  const began = performance.now();
  expect(await said).toMatch(
    /^The browser ended the program\. It may need too much/,
  );
  // The error appears before the time limit of a program.
  expect(performance.now() - began).toBeLessThan(9000);
});

test("a_program_whose_frame_is_gone_says_so", async () => {
  const { page } = await open();
  await page.route(/frame-.*html/, (route) => route.abort());
  await page.evaluate(() => void window.__pagewalk?.actions.runProgram(0));
  await says(page.getByTestId("code"), "could not be loaded: reload the page");
});

// `npm run bench` measures speed and memory on this machine, and compares them with their targets. It is never
// part of the tests.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { disagreements } from "./bench/agreement.mjs";
import {
  measureCompiler,
  measureInChromium,
  measureLongFile,
  measurePacked,
  measurePlaying,
  measureSite,
  measureSliders,
  withBrowser,
} from "./bench/chromium.mjs";
import { firstRoute, shippedTrace } from "./bench/firstRoute.mjs";
import { buildNative, measureNative } from "./bench/native.mjs";
import { measureHuge } from "./bench/huge.mjs";
import { measureInNode } from "./bench/node.mjs";
import { importInputs } from "./bench/inputs.mjs";
import { measureLighthouse } from "./bench/lighthouse.mjs";
import { measureLoad } from "./bench/neighbours.mjs";
import { measurePeers } from "./bench/peers.mjs";
import { recordedTrace } from "./bench/recording.mjs";
import { rowsOf } from "./bench/rows.mjs";
import { measureCompiled } from "./bench/compiled.mjs";
import { measureSweep, program } from "./bench/sweep.mjs";
import { ratio, summaryOf, tableOf } from "./bench/table.mjs";
import { N_SEEKS, workloads } from "./bench/workloads.mjs";
import { ensureSite, ensureWasm } from "./lib/artifacts.mjs";
import { CHROMIUM_MISSING, findChromium } from "./lib/chromium.mjs";
import { Stop } from "./lib/run.mjs";
import { main, step } from "./lib/steps.mjs";
import { checkPrerequisites, extendPath } from "./lib/toolchain.mjs";

const USAGE = `npm run bench -- [--json FILE] [--repetitions N] [--in native,node,chromium]

  --json FILE        writes the rows, and all that was measured, to FILE as well
  --repetitions N    times each run at least N times and takes the fastest (default 5)
  --in PLACES        measures only there (default: everywhere)`;

/** Lighthouse takes some 15 seconds for a visit. */
const LIGHTHOUSE_VISITS = 3;

const PLACES = ["native", "node", "chromium"];

await main(async () => {
  const options = readOptions();
  if (options.help) return console.log(USAGE);
  extendPath();
  checkPrerequisites();
  await ensureWasm();
  await ensureSite();
  await buildNative();
  const recorded = await recordedTrace();
  const imports = await importInputs(recorded.file);
  const { result, otherCores } = await measureLoad(() =>
    measureAll(options, { recorded: recorded.file, imports }),
  );
  const { results, browser, ...measured } = result;
  const site = {
    ...measured,
    firstRoute: firstRoute(),
    traceBytes: shippedTrace(),
  };
  const rows = rowsOf(results, site);
  const { repetitions } = options;
  const facts = {
    ...machineFacts(),
    browser,
    recorded,
    repetitions,
    otherCores,
  };
  const differences = disagreements(results);

  console.log(`\n${tableOf(rows)}\n`);
  console.log(notes(facts, results));
  for (const line of differences) console.log(`✗ Results differ. ${line}`);
  if (differences.length > 0) process.exitCode = 1;
  else console.log("Results agree, to the unit, wherever they were measured.");
  console.log(summaryOf(rows));
  if (options.json) {
    const judged = rows.map((row) => ({ ...row, ratios: ratiosOf(row) }));
    const all = { facts, rows: judged, differences, site, results };
    writeFileSync(options.json, `${JSON.stringify(all, undefined, 2)}\n`);
  }
});

function readOptions() {
  const { values } = parseArguments();
  const repetitions = Number(values.repetitions);
  if (!Number.isInteger(repetitions) || repetitions < 1)
    throw new Stop("--repetitions takes a number, 1 or more.");
  const places = values.in.split(",");
  const unknown = places.find((place) => !PLACES.includes(place));
  if (unknown !== undefined)
    throw new Stop(`--in takes ${PLACES.join(", ")}, not “${unknown}”.`);
  return { ...values, repetitions, places };
}

function parseArguments() {
  try {
    return parseArgs({
      options: {
        help: { type: "boolean", default: false },
        in: { type: "string", default: PLACES.join(",") },
        json: { type: "string" },
        repetitions: { type: "string", default: "5" },
      },
    });
  } catch (error) {
    throw new Stop(`${error.message}\n\n${USAGE}`);
  }
}

/** Measures one place after the other, because they would slow each other down. */
async function measureAll({ places, repetitions }, files) {
  const job = {
    ...workloads(),
    ...files,
    nSeeks: N_SEEKS,
    repetitions,
  };
  const results = {};
  if (places.includes("native"))
    results.native = await step("Measuring natively", async () => ({
      ...(await measureNative(files.recorded, repetitions)),
      sweep: await measureSweep(),
      compiled: measureCompiled(program()),
      huge: await measureHuge(files.recorded),
      peers: measurePeers(program()),
    }));
  if (places.includes("node"))
    results.node = await step("Measuring in Node", () => measureInNode(job));
  if (!places.includes("chromium")) return { results };
  const executable = findChromium();
  if (!executable) {
    console.log(CHROMIUM_MISSING);
    return { results };
  }
  const lighthouse = await step("Asking Lighthouse", () =>
    measureLighthouse(executable, LIGHTHOUSE_VISITS),
  );
  return withBrowser(executable, async (browser) => {
    results.chromium = await step("Measuring in Chromium", () =>
      measureInChromium(browser, job),
    );
    const visits = await step("Visiting the site", () =>
      measureSite(browser, Math.max(5, repetitions)),
    );
    const frames = await step("Playing a replay in the site", () =>
      measurePlaying(browser),
    );
    const long = await step("Importing 2 GB in the site", () =>
      measureLongFile(browser, files.recorded),
    );
    const sliders = await step("Moving sliders in the site", () =>
      measureSliders(browser, files.recorded),
    );
    const compiler = await step("Compiling C in the site", () =>
      measureCompiler(browser, repetitions),
    );
    results.chromium.packed = await step("Packing programs in the site", () =>
      measurePacked(browser, repetitions),
    );
    const site = { visits, frames, long, sliders, lighthouse, compiler };
    return { results, ...site, browser: browser.version() };
  });
}

function machineFacts() {
  const [{ model = "unknown CPU" } = {}, ...others] = cpus();
  return { cpu: model, cores: 1 + others.length, node: process.version };
}

function notes(facts, results) {
  const { cpu, cores, node, browser, recorded, repetitions } = facts;
  const [{ traces }] = Object.values(results);
  const accesses = (traces.c.accesses / 1e6).toFixed(1);
  const lines = [
    `On ${cpu}, ${cores} cores; Node ${node}${browser ? `, Chromium ${browser}` : ""}. Best of ${repetitions} or more; the site: median.`,
    "(a) and (b) are 10 M loads over 1 GiB, 64 bytes apart and uniformly random.",
    "The nested and the whole-memory runs are (b) on Skylake-SP: 4K pages on 4K pages, data past the caches; and all reads through the caches, native and on 4K pages of a host.",
    `(c) is ${recorded.origin}: ${accesses} M accesses.`,
    "The plain two-level loop is 16 × 4 and 128 × 12 move-to-front arrays and nothing else, for comparison between machines.",
    "Lighthouse simulates the network, and the processor of a phone. The scores of a phone are for information.",
    "Ratio: 1 or more = reached.",
  ];
  if (facts.otherCores > 0.5)
    lines.push(
      `Other programs kept about ${facts.otherCores.toFixed(1)} of the ${cores} cores busy: a quiet machine does better.`,
    );
  return lines.join("\n");
}

function ratiosOf(row) {
  return Object.fromEntries(PLACES.map((place) => [place, ratio(row, place)]));
}

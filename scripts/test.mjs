// `npm test` checks everything that must hold before a change is shared. It continues after a failure. Its last line
// is the sum over all suites: `N passed, N failed`. `npm test -- eslint "cargo test"` runs only these two suites;
// `npm test -- --keep` writes the table into tests/README.md.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { inBlock, say } from "./lib/output.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { inRoot } from "./lib/paths.mjs";
import { Stop } from "./lib/run.mjs";
import { explain, main } from "./lib/steps.mjs";
import { stages } from "./lib/suites.mjs";
import {
  checkPrerequisites,
  ensureLinters,
  ensureWasmTarget,
  extendPath,
} from "./lib/toolchain.mjs";

/** The sums of all suites, and the lines of the table by the name of the suite. */
const total = { passed: 0, failed: 0 };
const table = new Map();

/** The time between two lines that show that a suite still runs, in milliseconds. */
const ALIVE_MS = 30_000;

const keep = process.argv.includes("--keep");
const begin = performance.now();

/** Returns the stages with the requested suites, without empty lanes and stages. */
function chosenStages() {
  const chosen = process.argv.slice(2).filter((word) => word !== "--keep");
  const names = stages.flat(2).map(([name]) => name);
  const unknown = chosen.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Stop(
      `No suite is called ${unknown.join(" or ")}; there are: ${names.join(", ")}.`,
    );
  const isChosen = ([name]) => chosen.length === 0 || chosen.includes(name);
  const some = (list) => list.length > 0;
  return stages
    .map((lanes) => lanes.map((lane) => lane.filter(isChosen)).filter(some))
    .filter(some);
}

const since = (start) => ((performance.now() - start) / 1000).toFixed(1);

async function runSuite([name, suite]) {
  const start = performance.now();
  let counts;
  try {
    counts = await suite();
  } catch (error) {
    say(explain(error));
    counts = { passed: 0, failed: 1 };
  }
  total.passed += counts.passed;
  total.failed += counts.failed;
  const mark = counts.failed > 0 ? "✗" : "✓";
  table.set(
    name,
    `${mark} ${name.padEnd(16)}${String(counts.passed).padStart(6)} passed${String(counts.failed).padStart(4)} failed${since(start).padStart(8)} s`,
  );
}

/** Runs a suite and shows its output immediately. */
async function runLive(suite) {
  console.log(`\n── ${suite[0]} ──`);
  await runSuite(suite);
}

/** Runs a suite and shows its output as a whole at the end, because another suite runs at the same time. */
async function runInBlock(suite) {
  const [name] = suite;
  const start = performance.now();
  console.log(`▸ ${name} …`);
  const alive = setInterval(
    () => console.log(`  … ${name}, ${since(start)} s so far`),
    ALIVE_MS,
  );
  try {
    const { said } = await inBlock(name, () => runSuite(suite));
    process.stdout.write(`\n── ${name} ──\n${said}\n${table.get(name)}\n`);
  } finally {
    clearInterval(alive);
  }
}

async function runStage(lanes) {
  const runOne = lanes.length > 1 ? runInBlock : runLive;
  await Promise.all(
    lanes.map(async (lane) => {
      for (const suite of lane) await runOne(suite);
    }),
  );
}

await main(async () => {
  try {
    const chosen = chosenStages();
    extendPath();
    checkPrerequisites();
    await ensurePackages();
    await ensureWasmTarget();
    await ensureLinters();
    for (const stage of chosen) await runStage(stage);
  } catch (error) {
    console.error(explain(error));
    total.failed += 1;
  }
});

/** Replaces the table in tests/README.md by this one. */
function keepTable(text) {
  const file = inRoot("tests", "README.md");
  const [{ model }, ...others] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const where = `${date}, ${model}, ${others.length + 1} cores`;
  const block = "```text\n" + `${where}\n\n${text}\n` + "```";
  const readme = readFileSync(file, "utf8");
  writeFileSync(
    file,
    readme.replace(/```text\n[^`]*```/, () => block),
  );
}

const lines = stages.flat(2).flatMap(([name]) => table.get(name) ?? []);
lines.push(`${"all".padStart(5).padEnd(37)}${since(begin).padStart(9)} s`);
console.log(`\n${lines.join("\n")}`);
if (total.failed > 0) process.exitCode = 1;
if (keep) keepTable(lines.join("\n"));
console.log(`${total.passed} passed, ${total.failed} failed`);

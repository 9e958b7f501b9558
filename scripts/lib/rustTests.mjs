import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inBlock, say } from "./output.mjs";
import { simCore } from "./paths.mjs";
import { ask, run } from "./run.mjs";

/** The programs that run longest start first, so that none of them runs alone at the end. */
const LONGEST = ["equivalence", "os", "traces", "machine", "import"];

/** The number of test programs that run at the same time. Each has several threads. */
const AT_A_TIME = 2;

/**
 * Compiles all test programs of the workspace and runs two of them at a time.
 * @param {Record<string, string>} env
 * @returns {Promise<{passed: number, failed: number}>}
 */
export async function cargoTest(env) {
  const here = mkdtempSync(path.join(tmpdir(), "pagewalk-cases-"));
  const cases = path.join(here, "cases");
  const test = (...words) =>
    run("cargo", ["test", "--workspace", "--no-fail-fast", ...words], {
      cwd: simCore,
      capture: true,
      env: { CARGO_TERM_COLOR: "never", PAGEWALK_CASES: cases, ...env },
    });
  try {
    // If a test program does not compile, no test runs.
    if ((await test("--no-run")).code !== 0) return { passed: 0, failed: 1 };
    const counts = await runAll(choices(), test);
    say(`${casesIn(cases).toLocaleString("en")} random cases`);
    return counts;
  } finally {
    rmSync(here, { recursive: true, force: true });
  }
}

/**
 * The test runs as arguments for cargo: each test program, and the tests in the crates. The documentation has no
 * code to run, and cargo would take 40 seconds to find none.
 */
function choices() {
  const facts = ask(
    "cargo",
    ["metadata", "--no-deps", "--format-version", "1"],
    simCore,
  );
  const { packages } = JSON.parse(facts);
  const names = packages
    .flatMap(({ targets }) => targets)
    .filter(({ kind }) => kind.includes("test"))
    .map(({ name }) => name);
  const sorted = new Set([...LONGEST, ...names]);
  const programs = [...sorted].map((name) => ["--test", name]);
  // With fewer packages, cargo would choose other features, and compile everything once more.
  return [...programs, ["--lib", "--bins"]];
}

async function runAll(choices, test) {
  const sum = { passed: 0, failed: 0 };
  const waiting = [...choices];
  const work = async () => {
    for (let words = waiting.shift(); words; words = waiting.shift()) {
      const name = words.at(-1).replace(/^--/, "");
      const start = performance.now();
      const { result, said } = await inBlock(name, () => test(...words));
      const { passed, failed } = resultsIn(result);
      if (failed > 0) say(said);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      say(`${failed > 0 ? "✗" : "✓"} ${name}, ${passed} passed, ${seconds} s`);
      sum.passed += passed;
      sum.failed += failed;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return sum;
}

function resultsIn({ code, output }) {
  const results = [
    ...output.matchAll(/^test result: .*? (\d+) passed; (\d+) failed;/gm),
  ];
  const sum = (column) =>
    results.reduce((total, match) => total + Number(match[column]), 0);
  const failed = sum(2);
  // A test that ends its process leaves no result line.
  return { passed: sum(1), failed: code !== 0 && failed === 0 ? 1 : failed };
}

/** Returns the sum of the last column of the file, which `sim-core/cases` writes. */
function casesIn(file) {
  if (!existsSync(file)) return 0;
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.reduce((sum, line) => sum + Number(line.split("\t").at(-1)), 0);
}

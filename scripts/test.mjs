// `npm test`: everything that must hold before a change is shared. It goes on after a failure,
// and its last line is the sum over all suites: `N passed, N failed`.
// `npm test -- eslint "cargo test"` runs these two only.
import { ensurePackages } from "./lib/packages.mjs";
import { Stop } from "./lib/run.mjs";
import { main } from "./lib/steps.mjs";
import { suites } from "./lib/suites.mjs";
import {
  checkPrerequisites,
  ensureLinters,
  ensureWasmTools,
  extendPath,
} from "./lib/toolchain.mjs";

const total = { passed: 0, failed: 0 };
const lines = [];

function chosenSuites() {
  const chosen = process.argv.slice(2);
  const unknown = chosen.filter(
    (name) => !suites.some(([other]) => other === name),
  );
  if (unknown.length > 0) {
    const known = suites.map(([name]) => name).join(", ");
    throw new Stop(
      `No suite is called ${unknown.join(" or ")}; there are: ${known}.`,
    );
  }
  return suites.filter(
    ([name]) => chosen.length === 0 || chosen.includes(name),
  );
}

async function runSuite(name, suite) {
  const start = performance.now();
  console.log(`\n── ${name} ──`);
  let counts;
  try {
    counts = await suite();
  } catch (error) {
    console.log(error instanceof Stop ? `✗ ${error.message}` : error);
    counts = { passed: 0, failed: 1 };
  }
  total.passed += counts.passed;
  total.failed += counts.failed;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const mark = counts.failed > 0 ? "✗" : "✓";
  lines.push(
    `${mark} ${name.padEnd(16)}${String(counts.passed).padStart(6)} passed${String(counts.failed).padStart(4)} failed${seconds.padStart(8)} s`,
  );
}

await main(async () => {
  try {
    const chosen = chosenSuites();
    extendPath();
    checkPrerequisites();
    await ensurePackages();
    await ensureWasmTools();
    await ensureLinters();
    for (const [name, suite] of chosen) await runSuite(name, suite);
  } catch (error) {
    total.failed += 1;
    throw error;
  }
});

console.log(`\n${lines.join("\n")}`);
if (total.failed > 0) process.exitCode = 1;
console.log(`${total.passed} passed, ${total.failed} failed`);

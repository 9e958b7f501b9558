import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureSite, ensureWasm } from "./artifacts.mjs";
import { CHROMIUM_MISSING, ensureTestChromium } from "./chromium.mjs";
import { noticesFile, rustNotices } from "./notices.mjs";
import { say } from "./output.mjs";
import { generated, simCore } from "./paths.mjs";
import { nodeProgram, run } from "./run.mjs";
import { cargoTest } from "./rustTests.mjs";
import { sweepExample } from "./sweepExample.mjs";
import { adding } from "./adding.mjs";

// A suite is a name and a function that returns {passed, failed}. A step that is no test, such as a lint,
// counts as one test.
const one = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1 });

const cargo = (...args) => run("cargo", args, { cwd: simCore });
const check = async (program, args) =>
  one((await run(program, args)).code === 0);

/**
 * The folder in which ts-rs writes the TypeScript types during `cargo test`, to be compared with the committed
 * ones.
 */
const freshTypes = mkdtempSync(path.join(tmpdir(), "pagewalk-types-"));
process.on("exit", () => rmSync(freshTypes, { recursive: true, force: true }));

function typesAreFresh() {
  const [committed, fresh] = [contents(generated), contents(freshTypes)];
  if (fresh.size === 0) {
    say("There are no fresh types: cargo test failed, or did not run.");
    return one(false);
  }
  const stale = [...new Set([...committed.keys(), ...fresh.keys()])]
    .filter((name) => committed.get(name) !== fresh.get(name))
    .sort();
  for (const name of stale) {
    const state = !fresh.has(name)
      ? "is left over"
      : !committed.has(name)
        ? "is missing"
        : "is out of date";
    say(`src/engine/generated/${name} ${state}`);
  }
  if (stale.length > 0)
    say(
      "Run `npm run test:rust` (it writes them), delete what is left over, and commit.",
    );
  return one(stale.length === 0);
}

function contents(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) =>
    name.endsWith(".ts"),
  );
  return new Map(
    names.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]),
  );
}

function noticesAreFresh() {
  const isFresh = readFileSync(noticesFile, "utf8") === rustNotices();
  if (!isFresh)
    say("sim-core/THIRD-PARTY.txt is out of date: run `npm run notices`.");
  return one(isFresh);
}

async function vitest(...args) {
  const report = path.join(
    mkdtempSync(path.join(tmpdir(), "pagewalk-vitest-")),
    "report.json",
  );
  const [program, words] = nodeProgram("vitest", "run", ...args);
  const { code } = await run(program, [
    ...words,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  const counts = readReport(report);
  rmSync(path.dirname(report), { recursive: true, force: true });
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function readReport(file) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(
      readFileSync(file, "utf8"),
    );
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

async function endToEnd() {
  if (!(await ensureTestChromium())) {
    say(CHROMIUM_MISSING);
    return one(false);
  }
  return vitest("--config", "vitest.e2e.config.ts");
}

const clippy =
  (...args) =>
  async () =>
    one((await cargo("clippy", ...args, "--", "-D", "warnings")).code === 0);

const cargoLane = [
  [
    "cargo fmt",
    async () => one((await cargo("fmt", "--all", "--check")).code === 0),
  ],
  ["clippy", clippy("--workspace", "--all-targets")],
  ["cargo test", () => cargoTest({ TS_RS_EXPORT_DIR: freshTypes })],
  ["sweep on Dask", sweepExample],
  ["generated types", typesAreFresh],
  ["licence notices", noticesAreFresh],
  ["toy additions", adding],
];

const siteLane = [
  ["wasm build", async () => (await ensureWasm(), one(true))],
  ["tsc", () => check(...nodeProgram("typescript", "--noEmit"))],
  ["eslint", () => check(...nodeProgram("eslint", "."))],
  // The format of a file depends on the file alone, so Prettier remembers the files that it has checked.
  [
    "prettier",
    () =>
      check(
        ...nodeProgram(
          "prettier",
          "--check",
          ".",
          // Else Prettier lists all build products first, which takes longer than the check.
          "!sim-core/target/**",
          "--cache",
          "--cache-strategy=content",
        ),
      ),
  ],
  ["vitest", () => vitest()],
  ["site build", async () => (await ensureSite(), one(true))],
];

/**
 * The stages run one after the other. The lanes of a stage run at the same time, and the suites of a lane one
 * after the other, because they need earlier builds or the same lock. No other suite runs while a browser is
 * used.
 */
export const stages = [[cargoLane, siteLane], [[["end to end", endToEnd]]]];

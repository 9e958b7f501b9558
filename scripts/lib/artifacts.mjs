import { existsSync } from "node:fs";
import path from "node:path";
import { dist, pkg, simCore } from "./paths.mjs";
import { ensurePackages } from "./packages.mjs";
import { portable } from "./portable.mjs";
import { ask, mustRun, nodeProgram } from "./run.mjs";
import {
  clearStamp,
  filesBelow,
  hashOf,
  readStamp,
  writeStamp,
} from "./stamp.mjs";
import { step } from "./steps.mjs";
import { ensureWasmTarget, ensureWasmTools } from "./toolchain.mjs";

const TARGET = "wasm32-unknown-unknown";

const NOT_IN_THE_WASM =
  /^sim-core\/(target|cli|cases|fuzz|THIRD-PARTY\.txt)$|\/(tests|benches)$/;

/**
 * @param {string} crate below sim-core; @param {string} profile for wasm-pack;
 * @param {{env?: Record<string, string>, options?: string[]}} [cargo]
 */
const wasm = (name, title, crate, folder, profile, cargo = {}) => ({
  name,
  title,
  output: path.join(folder, "pagewalk_bg.wasm"),
  hash: () =>
    hashOf(
      filesBelow(
        ["sim-core", "scripts/lib/artifacts.mjs", "scripts/lib/portable.mjs"],
        NOT_IN_THE_WASM,
      ),
      ask("rustc", ["--version"]),
      ask("wasm-pack", ["--version"]),
    ),
  async build() {
    const outDir = path.relative(path.join(simCore, crate), folder);
    await mustRun(
      "wasm-pack build",
      "wasm-pack",
      ["build", crate, "--target", "web", "--no-pack", profile].concat([
        "--out-dir",
        outDir,
        "--out-name",
        "pagewalk",
        "--",
        ...(cargo.options ?? []),
      ]),
      { cwd: simCore, env: { ...portable(TARGET), ...cargo.env } },
    );
  },
});

/** Measured: results need as long if these crates are built for size, and the whole module is 18 % smaller. */
const FOR_SIZE = [
  "pagewalk-experiments",
  "pagewalk-measured",
  "pagewalk-quiz",
  "pagewalk-wasm",
  "serde_json",
].flatMap((crate) => [
  "--config",
  `profile.release.package.${crate}.opt-level="s"`,
]);

/** The whole module is built for speed. It is compiled while the tools are installed. */
const wholeWasm = {
  ...wasm("wasm", "Building the simulator", "wasm", pkg, "--release", {
    options: FOR_SIZE,
  }),
  compile: compileWasm,
};

/**
 * The module that the site opens with is built for size. `--profiling` only selects its options for wasm-opt: cargo builds a
 * release. Its own target folder keeps cargo from waiting for the other module's build.
 */
const replayWasm = wasm(
  "wasm-replay",
  "Building the part of the simulator that the site opens with",
  "replay-wasm",
  path.join(pkg, "replay"),
  "--profiling",
  {
    env: {
      CARGO_PROFILE_RELEASE_OPT_LEVEL: "z",
      PAGEWALK_CPUS: "short",
      CARGO_TARGET_DIR: path.join(simCore, "target", "replay"),
    },
  },
);

/** The module that instruments programs is loaded with the compiler. */
const instrumentWasm = wasm(
  "wasm-instrument",
  "Building the part that instruments programs",
  "instrument-wasm",
  path.join(pkg, "instrument"),
  "--profiling",
  {
    env: {
      CARGO_PROFILE_RELEASE_OPT_LEVEL: "z",
      CARGO_TARGET_DIR: path.join(simCore, "target", "instrument"),
    },
  },
);

/** The module that measures this computer is loaded with its worker. It is built for speed: the loop is what is timed. */
const chaseWasm = wasm(
  "wasm-chase",
  "Building the part that measures this computer",
  "chase-wasm",
  path.join(pkg, "chase"),
  "--profiling",
  { env: { CARGO_TARGET_DIR: path.join(simCore, "target", "chase") } },
);

const modules = [wholeWasm, replayWasm, instrumentWasm, chaseWasm];

/** Compiles the whole module with cargo, so that wasm-pack finds it compiled. */
function compileWasm() {
  const profile = ["--release", "--target", TARGET];
  return step("Compiling the simulator (the first time takes minutes)", () =>
    mustRun(
      "cargo build",
      "cargo",
      ["build", "--lib", ...profile, ...FOR_SIZE],
      {
        cwd: path.join(simCore, "wasm"),
        env: portable(TARGET),
      },
    ),
  );
}

const site = {
  name: "site",
  title: "Building the site",
  output: path.join(dist, "index.html"),
  hash: () =>
    hashOf(
      filesBelow([
        "src",
        "public",
        "scripts/vite",
        "docs/limits.md",
        "CITATION.cff",
        "sim-core/THIRD-PARTY.txt",
        "index.html",
        "vite.config.ts",
        "tsconfig.json",
        "package-lock.json",
      ]),
    ),
  async build() {
    await mustRun("vite build", ...nodeProgram("vite", "build"));
  },
};

const isCurrent = ({ name, output, hash }) =>
  existsSync(output) && readStamp(name) === hash();

async function build({ name, title, build, hash }) {
  clearStamp(name);
  await step(title, build);
  writeStamp(name, hash());
}

/**
 * Installs the npm packages, and builds the wasm modules if their sources changed (or always, with `force`).
 * Independent steps run at the same time.
 */
export async function ensureWasm({ force = false } = {}) {
  const stale = modules.filter((module) => force || !isCurrent(module));
  if (stale.length === 0) return ensurePackages();
  await ensureWasmTarget();
  const tools = Promise.all([ensurePackages(), ensureWasmTools()]);
  const make = async (module) => {
    await Promise.all([tools, module.compile?.()]);
    await build(module);
  };
  await Promise.all(stale.map(make));
}

/** Builds dist/ if its sources changed. The wasm modules must exist. */
export async function ensureSite({ force = false } = {}) {
  if (force || !isCurrent(site)) await build(site);
}

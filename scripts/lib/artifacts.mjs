import { existsSync } from "node:fs";
import path from "node:path";
import { dist, pkg, simCore } from "./paths.mjs";
import { ask, mustRun, nodeProgram } from "./run.mjs";
import {
  clearStamp,
  filesBelow,
  hashOf,
  readStamp,
  writeStamp,
} from "./stamp.mjs";
import { step } from "./steps.mjs";
import { ensureWasmTools } from "./toolchain.mjs";

const NOT_IN_THE_WASM = ["target", "cli", "tests", "benches", "fuzz"].map(
  (folder) => `sim-core/${folder}`,
);

/** @param {string[]} profile for wasm-pack; @param {string[]} features for cargo */
const wasm = (name, title, folder, profile, features = [], env = {}) => ({
  name,
  title,
  output: path.join(folder, "pagewalk_bg.wasm"),
  hash: () =>
    hashOf(
      filesBelow(["sim-core", "scripts/lib/artifacts.mjs"], NOT_IN_THE_WASM),
      ask("rustc", ["--version"]),
      ask("wasm-pack", ["--version"]),
    ),
  async build() {
    const outDir = path.relative(path.join(simCore, "wasm"), folder);
    await mustRun(
      "wasm-pack build",
      "wasm-pack",
      ["build", "wasm", "--target", "web", "--no-pack", ...profile]
        .concat(["--out-dir", outDir, "--out-name", "pagewalk"])
        .concat(features),
      { cwd: simCore, env },
    );
  },
});

/** Everything, for speed. */
const wholeWasm = wasm(
  "wasm",
  "Building the simulator (Rust to WebAssembly; the first time takes some minutes)",
  pkg,
  ["--release"],
);

/** What the site opens with, for size. Its profile is that of wasm-pack alone: cargo builds a release. */
const firstWasm = wasm(
  "wasm-first",
  "Building the part of the simulator that the site opens with",
  path.join(pkg, "first"),
  ["--profiling"],
  ["--", "--no-default-features"],
  { CARGO_PROFILE_RELEASE_OPT_LEVEL: "z" },
);

const site = {
  name: "site",
  title: "Building the site",
  output: path.join(dist, "index.html"),
  hash: () =>
    hashOf(
      filesBelow([
        "src",
        "public",
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

async function ensure(artifact, force) {
  const hash = artifact.hash();
  if (
    !force &&
    existsSync(artifact.output) &&
    readStamp(artifact.name) === hash
  )
    return;
  clearStamp(artifact.name);
  await step(artifact.title, artifact.build);
  writeStamp(artifact.name, hash);
}

/** Builds the wasm modules where their sources changed (or always, with `force`). */
export async function ensureWasm({ force = false } = {}) {
  await ensureWasmTools();
  await ensure(wholeWasm, force);
  await ensure(firstWasm, force);
}

/** Builds dist/ where anything that it is made of changed; the wasm modules must be there. */
export function ensureSite({ force = false } = {}) {
  return ensure(site, force);
}

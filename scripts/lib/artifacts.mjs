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

const wasm = {
  name: "wasm",
  title:
    "Building the simulator (Rust to WebAssembly; the first time takes some minutes)",
  output: path.join(pkg, "pagewalk_bg.wasm"),
  hash: () =>
    hashOf(
      filesBelow(["sim-core", "scripts/lib/artifacts.mjs"], NOT_IN_THE_WASM),
      ask("rustc", ["--version"]),
      ask("wasm-pack", ["--version"]),
    ),
  async build() {
    await mustRun(
      "wasm-pack build",
      "wasm-pack",
      ["build", "wasm", "--target", "web", "--release", "--no-pack"]
        .concat(["--out-dir", path.relative(path.join(simCore, "wasm"), pkg)])
        .concat(["--out-name", "pagewalk"]),
      { cwd: simCore },
    );
  },
};

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

/** Builds the wasm module where its sources changed (or always, with `force`). */
export async function ensureWasm({ force = false } = {}) {
  await ensureWasmTools();
  await ensure(wasm, force);
}

/** Builds dist/ where anything that it is made of changed; the wasm module must be there. */
export function ensureSite({ force = false } = {}) {
  return ensure(site, force);
}

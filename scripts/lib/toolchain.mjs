import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { cargoBin, inRoot, simCore, tools } from "./paths.mjs";
import { Stop, ask, mustRun, which } from "./run.mjs";
import { step } from "./steps.mjs";

const WASM_PACK = "0.15.1";
const OLDEST_WASM_PACK = "0.13.0";
const TOO_NEW_WASM_PACK = "0.16.0";

/** Both wasm tools are compiled here, since they share crates. */
const toolsBuild = path.join(tools, "build");

/** Puts the tools of cargo and of npm on PATH: wasm-pack looks for wasm-opt there. */
export function extendPath() {
  const folders = [
    path.join(tools, "bin"),
    inRoot("node_modules", ".bin"),
    cargoBin,
  ];
  process.env.PATH = [...folders, process.env.PATH].join(path.delimiter);
}

/** Ends the script with one line for each missing program. Prints nothing if none is missing. */
export function checkPrerequisites() {
  const missing = [...missingNode(), ...missingRust()];
  if (missing.length > 0) throw new Stop(missing.join("\n✗ "));
}

function* missingNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const oldestMinor = { 20: 19, 21: Infinity, 22: 13 }[major] ?? 0;
  if (major < 20 || minor < oldestMinor) {
    yield `Node 20.19, 22.13 or newer is needed, this is ${process.versions.node}: install it from https://nodejs.org.`;
  }
}

function* missingRust() {
  if (!which("cargo")) {
    yield "Rust is missing (no cargo on PATH): install it with rustup from https://rustup.rs, then open a new terminal.";
    return;
  }
  const found = ask("cargo", ["--version"])?.split(" ")[1];
  if (!found) {
    yield "cargo is there but does not run: install a toolchain with `rustup toolchain install stable`.";
    return;
  }
  const manifest = readFileSync(path.join(simCore, "Cargo.toml"), "utf8");
  const needed = /^rust-version = "(.+)"/m.exec(manifest)?.[1];
  if (needed && isOlder(found, needed)) {
    yield `Rust ${needed} or newer is needed, this is ${found}: run \`rustup update stable\`.`;
  }
  if (process.platform !== "win32" && !which("cc")) {
    yield "A C linker is missing (no cc on PATH), which Rust needs: install gcc (Debian: `apt-get install build-essential`, macOS: `xcode-select --install`).";
  }
}

function isOlder(version, than) {
  const numbers = (text) => text.split(/[.-]/).slice(0, 3).map(Number);
  const [a, b] = [numbers(version), numbers(than)];
  const i = [0, 1, 2].find((n) => (a[n] ?? 0) !== (b[n] ?? 0));
  return i !== undefined && (a[i] ?? 0) < (b[i] ?? 0);
}

/** Returns the list under this key in `rust-toolchain.toml`. */
function listed(key) {
  const toolchain = readFileSync(inRoot("rust-toolchain.toml"), "utf8");
  const [, list] = new RegExp(`^${key}s = (.+)`, "m").exec(toolchain);
  return JSON.parse(list);
}

/** Returns whether the toolchain has this part. rustup may not have installed the toolchain. */
const isInstalled = {
  target(name) {
    const words = ["--print", "target-libdir", "--target", name];
    return existsSync(ask("rustc", words) ?? "");
  },
  component(name) {
    const program = name === "rustfmt" ? "fmt" : name;
    return ask("cargo", [program, "--version"]) !== undefined;
  },
};

/**
 * Adds the targets or the components of `rust-toolchain.toml` that are missing. `rustup toolchain install` would add
 * them too, but it also updates the toolchain.
 */
async function ensureListed(kind) {
  const missing = listed(kind).filter((name) => !isInstalled[kind](name));
  if (missing.length === 0) return;
  if (!which("rustup")) {
    throw new Stop(
      `rustup is missing, which adds ${missing.join(" and ")}: install it from https://rustup.rs, then open a new terminal.`,
    );
  }
  await step(`Adding ${missing.join(" and ")} to Rust`, () =>
    mustRun(`rustup ${kind} add`, "rustup", [kind, "add", ...missing]),
  );
}

/** The Rust target of the wasm build. */
export const ensureWasmTarget = () => ensureListed("target");

/** Returns whether this version of wasm-pack was tried. Newer versions may have other options. */
export const isTriedWasmPack = (version) =>
  !isOlder(version, OLDEST_WASM_PACK) && isOlder(version, TOO_NEW_WASM_PACK);

/** Installs the programs that make a wasm module from the output of cargo. */
export async function ensureWasmTools() {
  const lock = readFileSync(path.join(simCore, "Cargo.lock"), "utf8");
  const [, bindgen] = /name = "wasm-bindgen"\nversion = "(.+)"/.exec(lock);
  await install(
    ["wasm-pack", "--version", WASM_PACK, "--locked"],
    isTriedWasmPack,
  );
  // wasm-pack would install wasm-bindgen in the same way, but only after it has compiled the project.
  await install(
    // Only its test runner uses the network, whose encryption takes long to compile.
    [
      "wasm-bindgen-cli",
      "--version",
      bindgen,
      "--bin",
      "wasm-bindgen",
      "--no-default-features",
    ],
    (version) => version === bindgen,
  );
  rmSync(toolsBuild, { recursive: true, force: true });
}

/** Compiles a program into this clone without optimisation, because the program runs for seconds only. */
async function install([crate, ...words], isRight) {
  const program = crate.replace("-cli", "");
  const found = ask(program, ["--version"])?.split(" ")[1];
  if (found && isRight(found)) return;
  const folders = ["--root", tools, "--target-dir", toolsBuild];
  const env = {
    CARGO_PROFILE_RELEASE_OPT_LEVEL: "0",
    CARGO_PROFILE_RELEASE_LTO: "off",
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
  };
  await step(`Installing ${program} (once)`, () =>
    mustRun(
      `cargo install ${crate}`,
      "cargo",
      ["install", crate, ...words, ...folders, "--force"],
      { env },
    ),
  );
}

/** Adds rustfmt and clippy to the toolchain if they are missing. */
export const ensureLinters = () => ensureListed("component");

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { cargoBin, inRoot, simCore, tools } from "./paths.mjs";
import { Stop, ask, mustRun, which } from "./run.mjs";
import { step } from "./steps.mjs";

const WASM_PACK = "0.15.1";
const OLDEST_WASM_PACK = "0.13.0";

/** Puts the tools of cargo and of npm on PATH: wasm-pack looks for wasm-opt there. */
export function extendPath() {
  const folders = [
    path.join(tools, "bin"),
    inRoot("node_modules", ".bin"),
    cargoBin,
  ];
  process.env.PATH = [...folders, process.env.PATH].join(path.delimiter);
}

/** One line for each thing that is missing, then the end; silent where all is there. */
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

/** What `rust-toolchain.toml` lists under this key. */
function listed(key) {
  const toolchain = readFileSync(inRoot("rust-toolchain.toml"), "utf8");
  const [, list] = new RegExp(`^${key}s = (.+)`, "m").exec(toolchain);
  return JSON.parse(list);
}

/** Whether the toolchain, which rustup need not have installed, has this part. */
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

/** The programs that make a wasm module of what cargo compiles. */
export async function ensureWasmTools() {
  const lock = readFileSync(path.join(simCore, "Cargo.lock"), "utf8");
  const [, bindgen] = /name = "wasm-bindgen"\nversion = "(.+)"/.exec(lock);
  await install("wasm-pack", "wasm-pack", WASM_PACK, (version) =>
    isOlder(version, OLDEST_WASM_PACK),
  );
  // Else wasm-pack installs it itself, but only after it has compiled our code.
  await install(
    "wasm-bindgen",
    "wasm-bindgen-cli",
    bindgen,
    (version) => version !== bindgen,
  );
}

/** Compiles a program into this clone, in the least time: what it does here takes seconds. */
async function install(program, crate, version, isUnfit) {
  const found = ask(program, ["--version"])?.split(" ")[1];
  if (found && !isUnfit(found)) return;
  await step(`Installing ${program} ${version} (once)`, () =>
    mustRun(
      `cargo install ${crate}`,
      "cargo",
      ["install", crate, "--version", version, "--bin", program].concat([
        "--root",
        tools,
        "--force",
      ]),
      {
        env: {
          CARGO_PROFILE_RELEASE_OPT_LEVEL: "0",
          CARGO_PROFILE_RELEASE_LTO: "off",
          CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
        },
      },
    ),
  );
}

/** rustfmt and clippy. */
export const ensureLinters = () => ensureListed("component");

async function ensureWasmPack() {
  const found = ask("wasm-pack", ["--version"])?.split(" ")[1];
  if (found && !isOlder(found, OLDEST_WASM_PACK)) return;
  await step(`Installing wasm-pack ${WASM_PACK} (about 2 minutes, once)`, () =>
    mustRun("cargo install wasm-pack", "cargo", [
      "install",
      "wasm-pack",
      "--locked",
      "--version",
      WASM_PACK,
      ...(found ? ["--force"] : []),
    ]),
  );
}

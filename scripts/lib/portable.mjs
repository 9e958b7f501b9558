import { homedir } from "node:os";
import path from "node:path";
import { ask } from "./run.mjs";

/**
 * Returns an environment in which cargo writes no folder of this machine into a program, although panics name source
 * files. It extends the flags of sim-core/.cargo/config.toml.
 * @param {string} target such as "wasm32-unknown-unknown"
 * @param {Record<string, string | undefined>} from the folders, by the name that takes their place
 */
export function portable(target, from = foldersOfThisMachine()) {
  const name = target.toUpperCase().replaceAll("-", "_");
  const flags = Object.entries(from)
    // Cargo splits the flags at spaces.
    .filter(([, folder]) => folder && !/\s/.test(folder))
    .map(([name, folder]) => `--remap-path-prefix=${folder}=/${name}`);
  return { [`CARGO_TARGET_${name}_RUSTFLAGS`]: flags.join(" ") };
}

function foldersOfThisMachine() {
  return {
    cargo: process.env.CARGO_HOME ?? path.join(homedir(), ".cargo"),
    rust: ask("rustc", ["--print", "sysroot"]),
  };
}

/** Returns the target for which cargo builds programs. */
export function host() {
  return /^host: (.+)$/m.exec(ask("rustc", ["-vV"]) ?? "")?.[1] ?? "";
}

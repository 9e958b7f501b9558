import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const inRoot = (...parts) => path.join(root, ...parts);

/** The folder in which cargo is always started, because cargo reads `.cargo/config.toml` from there. */
export const simCore = inRoot("sim-core");
export const pkg = inRoot("src", "engine", "pkg");
export const generated = inRoot("src", "engine", "generated");
export const dist = inRoot("dist");
export const cache = inRoot("node_modules", ".cache", "pagewalk");

/** The folder for the programs of the wasm build that this machine lacks. */
export const tools = path.join(simCore, "target", "tools");

const cargoHome = process.env.CARGO_HOME ?? path.join(homedir(), ".cargo");
export const cargoBin = path.join(cargoHome, "bin");

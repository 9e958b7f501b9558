import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const inRoot = (...parts) => path.join(root, ...parts);

/** Cargo reads `.cargo/config.toml` from where it is started, so it always starts here. */
export const simCore = inRoot("sim-core");
export const pkg = inRoot("src", "engine", "pkg");
export const generated = inRoot("src", "engine", "generated");
export const dist = inRoot("dist");
export const cache = inRoot("node_modules", ".cache", "pagewalk");

/** Programs that the wasm build needs and this machine lacks are installed here. */
export const tools = path.join(simCore, "target", "tools");

const cargoHome = process.env.CARGO_HOME ?? path.join(homedir(), ".cargo");
export const cargoBin = path.join(cargoHome, "bin");

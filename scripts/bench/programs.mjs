// Programs in Node: where they are, and how they are instrumented and run.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";
import { pkg, root } from "../lib/paths.mjs";

const FOLDER = path.join(root, "scripts/bench/programs");
const HOST = path.join(root, "src/app/code/host.js");

/** Returns what `measurePrograms` needs. */
export async function programsInNode() {
  const folder = path.join(pkg, "instrument");
  const { default: init, Program } = await import(
    pathToFileURL(path.join(folder, "pagewalk.js")).href
  );
  await init({
    module_or_path: readFileSync(path.join(folder, "pagewalk_bg.wasm")),
  });
  const script = `${readFileSync(HOST, "utf8")}\nglobalThis.onmessage`;
  return {
    read: async (name) => readFileSync(path.join(FOLDER, `${name}.wasm`)),
    instrument: (bytes) => new Program(bytes),
    start(data, receive) {
      const world = createContext({ performance, TextDecoder, TextEncoder });
      const ports = [{ postMessage: receive }];
      void runInContext(script, world)({ data, ports });
    },
  };
}

// Measures programs from their first instruction to the packed trace, in Node.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";
import { pkg, root } from "../lib/paths.mjs";

export const PROGRAMS = ["matmul", "list", "sort"];
const FOLDER = path.join(root, "scripts/bench/programs");
const HOST = path.join(root, "src/app/code/host.js");
const MOST_ACCESSES = 1e9;

/**
 * @param load gives a session of a fresh instance
 * @param {number} repetitions
 * @returns by name the accesses and the fewest seconds, of which the import takes `importSeconds`
 */
export async function measurePrograms(load, repetitions) {
  const folder = path.join(pkg, "instrument");
  const { default: init, Program } = await import(
    pathToFileURL(path.join(folder, "pagewalk.js")).href
  );
  await init({
    module_or_path: readFileSync(path.join(folder, "pagewalk_bg.wasm")),
  });
  const found = {};
  for (const name of PROGRAMS) {
    const program = new Program(
      readFileSync(path.join(FOLDER, `${name}.wasm`)),
    );
    const head = headOf(JSON.parse(program.about));
    const bytes = program.module;
    for (let i = 0; i < repetitions; i += 1) {
      const { session } = await load();
      const start = performance.now();
      const chunks = await run(bytes);
      const ran = performance.now();
      const task = session.start("import", JSON.stringify({ name }));
      for (const chunk of [head, ...chunks]) task.push(chunk);
      task.finish();
      task.free();
      const end = performance.now();
      const [accesses] = JSON.parse(
        session.call("traceSize", "{}", new Uint8Array()),
      );
      session.free();
      const seconds = (end - start) / 1000;
      if (seconds < (found[name]?.seconds ?? Infinity))
        found[name] = { accesses, seconds, importSeconds: (end - ran) / 1000 };
    }
  }
  return found;
}

/** Returns what comes before the records in a file of format `code`. */
function headOf({ memory, functions, globals, sites, blocks }) {
  const named = globals.map(({ name, start, end }) => ({ name, start, end }));
  const json = Buffer.from(
    JSON.stringify({
      memory,
      functions,
      globals: named,
      sites,
      blocks,
      heap: [],
    }),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32LE(json.length);
  return Buffer.concat([Buffer.from("PWCODE1\n"), size, json]);
}

/** Runs a program in the worker script of the site, and returns its records. */
async function run(bytes) {
  const chunks = [];
  let end;
  const postMessage = (data) => {
    if (data.chunk) chunks.push(new Uint8Array(data.chunk, 0, data.n));
    else end = data;
  };
  const world = createContext({ performance, TextDecoder, TextEncoder });
  const script = `${readFileSync(HOST, "utf8")}\nglobalThis.onmessage`;
  await runInContext(
    script,
    world,
  )({
    data: { program: { bytes, args: ["program"] }, limit: MOST_ACCESSES },
    ports: [{ postMessage }],
  });
  if (end?.done?.status !== 0)
    throw new Error(`The program failed: ${JSON.stringify(end)}`);
  return chunks;
}

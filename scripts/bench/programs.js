// Measures programs from their first instruction to the packed trace. The same file runs in Node and in a page, so it imports
// nothing.

export const PROGRAMS = ["matmul", "list", "sort"];

/** What a program may do before it counts as failed. */
const LIMITS = { words: 4e9, seconds: 600 };

/**
 * A program runs to its end before its trace is imported, as in the site.
 * @param load gives a session of a fresh instance: `{session}`
 * @param {{read: (name: string) => Promise<Uint8Array>, instrument: (bytes: Uint8Array) => {module: Uint8Array, about: string},
 * start: (message: object, receive: (data: any) => void) => void}} world where programs are, are instrumented and run
 * @param {number} repetitions
 * @returns by name the accesses and the fewest seconds, of which the import takes `importSeconds`
 */
export async function measurePrograms(load, world, repetitions) {
  const found = {};
  for (const name of PROGRAMS) {
    const { module, about } = world.instrument(await world.read(name));
    const head = headOf(JSON.parse(about));
    for (let i = 0; i < repetitions; i += 1) {
      const { session } = await load();
      const start = performance.now();
      const chunks = await run(world, module);
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
  const head = { memory, functions, globals: named, sites, blocks, heap: [] };
  const json = new TextEncoder().encode(JSON.stringify(head));
  const all = new Uint8Array(12 + json.length);
  all.set(new TextEncoder().encode("PWCODE1\n"));
  new DataView(all.buffer).setUint32(8, json.length, true);
  all.set(json, 12);
  return all;
}

/** Runs a program in the worker script of the site, and resolves with its records. */
function run(world, bytes) {
  const chunks = [];
  const message = {
    program: { bytes, args: ["program"] },
    limits: LIMITS,
  };
  return new Promise((resolve, reject) => {
    world.start(message, (data) => {
      if (data.chunk) chunks.push(new Uint8Array(data.chunk, 0, data.n));
      else if (data.done?.status === 0) resolve(chunks);
      else if (data.output === undefined)
        reject(new Error(`The program failed: ${JSON.stringify(data)}`));
    });
  });
}

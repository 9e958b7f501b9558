// Times the wasm module. The same file runs in Node and in a page, so it imports nothing.

/** The size in bytes of the pieces in which the browser reads files. */
const PIECE = 256 << 10;
/**
 * The shortest time for repeated whole runs, in milliseconds. At first, the optimising compiler runs at the same
 * time.
 */
const LEAST_MS = 1500;
/** The number of accesses in one slice of an experiment. */
const EXPERIMENT_SLICE = 1 << 18;
/** The number of accesses in one slice of a run that makes checkpoints. */
const SLICE = 1 << 20;
/** The argument of calls without a file. */
const NO_BYTES = new Uint8Array();

/**
 * Measures everything that the module does.
 * @param load gives a session of a fresh instance: `{session, memory}`
 * @param job `{generated, recordedSetup, modelSetup, distances, recorded, imports, nSeeks, repetitions}`
 * @param {(file: string) => Promise<Uint8Array>} read gives a file of the job
 */
export async function measure(load, job, read) {
  const traces = {};
  const seeksMs = {};
  for (const { trace, n, bytes, stride, setup, seeks } of job.generated) {
    const { session } = await load();
    call(session, "generateLoads", { n, bytes, stride });
    session.call("configure", setup, NO_BYTES);
    traces[trace] = measureTrace(session, job.repetitions);
    if (seeks) seeksMs[trace] = measureSeeks(session, n, job.nSeeks);
    session.free();
  }
  const text = await read(job.recorded);
  const { session, ...recorded } = await measureImport(
    load,
    text,
    job.repetitions,
  );
  const imports = { c: { ...recorded, bytes: text.length } };
  session.call("configure", job.recordedSetup, NO_BYTES);
  traces.c = measureTrace(session, job.repetitions);
  seeksMs.c = measureSeeks(session, traces.c.accesses, job.nSeeks);
  const surfaceSeconds = measureAnswer(session, SURFACE, job.repetitions);
  session.call("configure", job.modelSetup, NO_BYTES);
  traces.d = measureTrace(session, job.repetitions);
  session.free();
  const distances = await measureDistances(load, job);
  for (const { name, file, bytes } of job.imports) {
    const packed = await read(file);
    const { session, ...result } = await measureImport(
      load,
      packed,
      job.repetitions,
    );
    session.free();
    imports[name] = { ...result, bytes };
  }
  const experimentsMs = await measureExperiments(load);
  return { traces, imports, seeksMs, experimentsMs, distances, surfaceSeconds };
}

/** Questions about traces. */
const CURVE = { what: "curve", uses: { pages: "4K", kinds: ["load"] } };
const SURFACE = {
  what: "surface",
  uses: { pages: "4K", kinds: ["fetch", "load", "store"] },
};

/**
 * Measures stack distances of random loads, by the number of distinct pages. Nearly each load is on another page than
 * the previous one.
 */
async function measureDistances(load, { distances, repetitions }) {
  const found = {};
  for (const { pages, n } of distances) {
    const { session } = await load();
    call(session, "generateLoads", { n, bytes: pages * 4096, stride: 0 });
    const [, references] = call(session, "traceSize");
    const seconds = measureAnswer(session, CURVE, repetitions);
    found[pages] = { references, seconds };
    session.free();
  }
  return found;
}

/** Returns the seconds to answer a question in slices, as the site does. */
function measureAnswer(session, question, repetitions) {
  return best(
    repetitions,
    () => finish(session, "analyse", question, 0),
    LEAST_MS,
  );
}

/** Runs each experiment once, in slices as the site does. */
async function measureExperiments(load) {
  const { session } = await load();
  const times = {};
  for (const { id } of call(session, "experiments")) {
    times[id] =
      1000 *
      best(1, () => finish(session, "experiment", { id }, EXPERIMENT_SLICE));
  }
  session.free();
  return times;
}

/** Times whole runs with all counters, each on a new machine. Then runs once more to make checkpoints. */
function measureTrace(session, repetitions) {
  let report;
  const seconds = best(
    repetitions,
    () => {
      report = session.call("runThrough", "{}", NO_BYTES);
    },
    LEAST_MS,
  );
  finish(session, "run", {}, SLICE);
  const [accesses, runs, bytes, checkpointBytes] = call(session, "traceSize");
  return {
    accesses,
    runs,
    bytes,
    seconds,
    checkpointBytes,
    report: JSON.parse(report),
  };
}

/**
 * Times the import of a file to a stored trace. Each import has a new instance, because the memory of an instance
 * never shrinks.
 */
async function measureImport(load, file, repetitions) {
  let seconds = Infinity;
  let memoryBytes = 0;
  let session;
  for (let i = 0; i < repetitions; i += 1) {
    session?.free();
    const loaded = await load();
    session = loaded.session;
    seconds = Math.min(
      seconds,
      best(1, () => importFile(session, file)),
    );
    memoryBytes = Math.max(memoryBytes, loaded.memory.buffer.byteLength);
  }
  const [accesses] = call(session, "traceSize");
  return { session, seconds, memoryBytes, accesses };
}

function importFile(session, file) {
  // The import detects the format from the bytes.
  const task = session.start("import", JSON.stringify({ name: "recorded" }));
  for (let at = 0; at < file.length; at += PIECE)
    task.push(file.subarray(at, at + PIECE));
  task.finish();
  task.free();
}

/** Returns the answer to a short call. */
function call(session, name, args = {}) {
  return JSON.parse(session.call(name, JSON.stringify(args), NO_BYTES));
}

/** Runs a long call in slices of `size` accesses. */
function finish(session, name, args, size) {
  const task = session.start(name, JSON.stringify(args));
  while (!task.slice(size));
  task.finish();
  task.free();
}

/**
 * Returns the milliseconds of each of some jumps in a trace that was run. The native benchmark jumps to the same
 * accesses.
 */
function measureSeeks(session, accesses, nSeeks) {
  const times = [];
  for (let number = 1; number <= nSeeks; number += 1) {
    // The multiples of 2³² / golden ratio are spread evenly, in no order.
    const fraction = BigInt(Math.imul(number, 2_654_435_761) >>> 0);
    const index = Number((fraction * BigInt(accesses)) >> 32n);
    const args = JSON.stringify({ index });
    const seek = () => session.call("seek", args, NO_BYTES);
    times.push(best(1, seek) * 1000);
  }
  return times;
}

/** Returns the seconds of the fastest of several calls. All calls together take at least `leastMs`. */
function best(repetitions, work, leastMs = 0) {
  const begin = performance.now();
  let fastest = Infinity;
  for (
    let i = 0;
    i < repetitions || performance.now() - begin < leastMs;
    i += 1
  ) {
    const start = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest / 1000;
}

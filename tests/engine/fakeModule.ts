/**
 * A module that counts instead of simulating: enough to test how requests are served, cancelled
 * and restored. Each line of an imported text is one access; a line `trap` kills the instance.
 */
import type { Modules, WasmModule, WasmSession } from "../../src/engine/wasm";

/** Modules of which the first can do all that the whole one can; both write into one log. */
export function fakeModules(log: string[] = []): Modules {
  const first = fakeModule(log);
  return { first, whole: () => Promise.resolve(fakeModule(log)) };
}

function fakeModule(log: string[]): WasmModule {
  return {
    cpus: () => "[]",
    peek: (request, bytes, isWhole) =>
      JSON.stringify({
        asked: JSON.parse(request) as unknown,
        bytes: bytes.length,
        is_whole: isWhole,
      }),
    workloads: () => "[]",
    sweepRows: (spec) => Number(spec),
    sweepTable: (lines) => lines,
    experiments: () => "[]",
    eventFamilies: () => "[]",
    measure: (text, beside) => JSON.stringify({ text, beside }),
    checkWorkload: () => JSON.stringify({ errors: [], accesses: 1, bytes: 1 }),
    memoryBytes: () => 1 << 20,
    newSession: () => fakeSession(log),
  };
}

function fakeSession(log: string[]): WasmSession {
  let reading: { name: string; text: string } | undefined;
  let trace = { name: "", n: 0 };
  let position = 0;
  let saved = 0;
  let written = 0;
  let find: { at: number; direction: number } | undefined;
  let slices = 0;
  let making = 0;
  let simulated = 0;
  let surveyed = 0;
  let whole = { done: 0, trace: 0 };
  const trap = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  const accesses = (text: string) =>
    text.split("\n").filter((line) => line !== "").length;
  const refuse = (code: string, message: string, at?: object) => {
    // The binding throws plain objects.
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw { code, message, at };
  };
  return {
    openSaved: (name, file) => {
      log.push(`open ${name}`);
      trace = { name, n: accesses(new TextDecoder().decode(file)) };
      return JSON.stringify({ name, n_accesses: trace.n });
    },
    beginImport: (request) => {
      const { name } = JSON.parse(request) as { name: string };
      log.push(`import ${name}`);
      reading = { name, text: "" };
    },
    push: (bytes) => {
      if (reading) reading.text += new TextDecoder().decode(bytes);
      if (reading?.text.includes("trap")) trap();
      return false;
    },
    importAccesses: () => accesses(reading?.text ?? ""),
    finishImport: () => {
      if (reading?.text.includes("bad"))
        refuse("bad-trace", "Not an access.", { line: 1 });
      trace = { name: reading?.name ?? "", n: accesses(reading?.text ?? "") };
      return JSON.stringify({ name: trace.name, n_accesses: trace.n });
    },
    cancelImport: () => {
      log.push("cancel import");
      reading = undefined;
    },
    free: () => log.push("free"),
    beginExport: (format) => {
      log.push(`export ${format}`);
      written = 0;
      return 50;
    },
    exportPart: () => {
      work();
      return written++ < 50 ? new TextEncoder().encode("line\n") : undefined;
    },
    finishExport: () => JSON.stringify([{ what: "sizes", count: trace.n }]),
    cancelExport: () => log.push("cancel export"),
    beginSave: () => {
      saved = 0;
      return 2;
    },
    savePart: () =>
      saved++ < 2
        ? new TextEncoder().encode(
            saved === 1 ? "access\n".repeat(trace.n) : "",
          )
        : undefined,
    finishSave: () => `${trace.n}`,
    beginGenerate: (workload) => {
      log.push(`generate ${workload}`);
      making = 0;
      return 50;
    },
    generateSlice: () => {
      making += 1;
      work();
      return making >= 50;
    },
    finishGenerate: () => {
      trace = { name: "made", n: making };
      return JSON.stringify({ name: trace.name, n_accesses: trace.n });
    },
    cancelGenerate: () => log.push("cancel generate"),
    beginExperiment: (id) => {
      log.push(`experiment ${id}`);
      if (id !== "known") refuse("bad-config", "There is no such experiment.");
      simulated = 0;
      return 50;
    },
    experimentSlice: () => {
      simulated += 1;
      work();
      return simulated >= 50;
    },
    experimentPosition: () => simulated,
    finishExperiment: () => JSON.stringify({ id: "known" }),
    beginSurvey: (options) => {
      log.push(`survey ${options}`);
      surveyed = 0;
    },
    surveySlice: () => {
      surveyed += 1;
      work();
      return surveyed >= 50;
    },
    surveyProgress: () => surveyed / 50,
    finishSurvey: () => JSON.stringify({ samples: trace.n }),
    cancelSurvey: () => log.push("cancel survey"),
    cancelExperiment: () => log.push("cancel experiment"),
    beginAttribution: () => {
      log.push("attribution");
      simulated = 0;
    },
    attributionSlice: () => {
      simulated += 1;
      work();
      return simulated >= 5;
    },
    finishAttribution: () => JSON.stringify({ total: { accesses: trace.n } }),
    beginWhole: (setup) => {
      log.push(`whole ${setup}`);
      if (setup.includes('"levels":9'))
        refuse("bad-config", "Too many levels.", { field: "levels" });
      whole = { done: 0, trace: trace.n };
      return new Uint32Array([0, trace.n]);
    },
    wholeSlice: () => {
      whole.done += 1;
      work();
      return whole.done >= whole.trace;
    },
    wholePosition: () => whole.done,
    finishWhole: () => JSON.stringify({ trace: { accesses: whole.trace } }),
    cancelWhole: () => log.push("end whole"),
    beginRow: (spec, row) => {
      log.push(`row ${row} of ${spec}`);
      whole = { done: 0, trace: trace.n };
      return trace.n;
    },
    rowSlice: () => {
      whole.done += 1;
      work();
      return whole.done >= whole.trace;
    },
    finishRow: (hash) => `${hash}: ${whole.trace}`,
    cancelRow: () => log.push("end row"),
    analyse: (question) => {
      if (question.includes('"kinds":[]'))
        refuse("bad-config", "No kind.", { field: "kinds" });
      let done = 0;
      return {
        slice: () => {
          done += 1;
          work();
          return done >= trace.n;
        },
        progress: () => done / trace.n,
        finish: () => JSON.stringify({ accesses: trace.n }),
        free: () => log.push("end analysis"),
      };
    },
    beginPair: () => JSON.stringify([{}, {}]),
    pairSlice: () => true,
    pairReports: () => JSON.stringify([{}, {}]),
    pairSeek: (index) => JSON.stringify([{ index }, null]),
    beginLockstep: () => undefined,
    lockstepSlice: () => true,
    finishLockstep: () => JSON.stringify({ differing: 0 }),
    beginDifference: () => undefined,
    differenceSlice: () => null,
    beginPairRegions: () => undefined,
    pairRegionsSlice: () => true,
    finishPairRegions: () => JSON.stringify([{}, {}]),
    endPair: () => log.push("end pair"),
    configure: (setup) => {
      log.push(`configure ${setup}`);
      if (setup.includes('"levels":9'))
        refuse("bad-config", "Too many levels.", { field: "levels" });
      return JSON.stringify({ structures: [{}, {}] });
    },
    beginRun: () => {
      log.push("run");
      position = 0;
    },
    runSlice: () => {
      position += 1;
      work();
      return position >= trace.n;
    },
    runPosition: () => position,
    report: () => JSON.stringify({ trace: { accesses: position } }),
    seek: (index) => {
      log.push(`seek ${index}`);
      return JSON.stringify({ index });
    },
    columns: (structure, core) => {
      if (core !== undefined) log.push(`columns ${structure} of ${core}`);
      return {
        keys: new BigUint64Array(4),
        keyShift: new Uint8Array(4),
        table: new Uint8Array(4),
        filledAt: new Uint32Array(4),
        usedAt: new Uint32Array(4),
        hits: new Uint32Array(4),
        next: new Uint16Array(2),
      };
    },
    beginFind: (at, direction) => {
      find = { at, direction };
    },
    findSlice: () => {
      slices += 1;
      work();
      return find && slices % 3 === 0 ? find.at + find.direction : undefined;
    },
    beginTimeline: (from, to) => log.push(`timeline ${from} ${to}`),
    timelineSlice: () => true,
    timeline: () => ({
      view: "{}",
      translations: new Uint32Array(1),
      l2Hits: new Uint32Array(1),
      walks: new Uint32Array(1),
      faults: new Uint32Array(1),
      operations: new Uint32Array(1),
      density: new Uint32Array(1),
      cellWalks: new Uint32Array(1),
      cellFaults: new Uint32Array(1),
    }),
    crash: trap,
  };
}

/** Takes as long as a slice of real work. */
function work(): void {
  const until = performance.now() + 12;
  while (performance.now() < until);
}

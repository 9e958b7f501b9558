/**
 * A module that counts instead of simulating: enough to test how requests are served, cancelled
 * and restored. Each line of an imported text is one access; a line `trap` kills the instance.
 */
import type {
  Modules,
  WasmModule,
  WasmSession,
  WasmTask,
} from "../../src/engine/binding";
import type { Args, Name, TaskName } from "../../src/engine/calls";
import type { Progress } from "../../src/engine/engine";

/** Returns two modules with the same calls, which both write into one log. */
export function fakeModules(log: string[] = []): Modules {
  const module: WasmModule = {
    memoryBytes: () => 1 << 20,
    newSession: () => fakeSession(log),
  };
  return { small: module, whole: () => Promise.resolve(module) };
}

/** A fake task of some slices. `finish` computes its answer. */
interface Work {
  readonly slices: number;
  readonly unit?: Progress["unit"];
  readonly total?: number;
  readonly parts?: readonly string[];
  readonly push?: (bytes: Uint8Array) => void;
  readonly progress?: () => number;
  readonly finish: () => unknown;
}

function fakeSession(log: string[]): WasmSession {
  let trace = { name: "", n: 0 };
  const take = (name: string, n: number) => {
    trace = { name, n };
    return { name, n_accesses: n };
  };
  const run = (n: number, finish: () => unknown): Work => ({
    slices: Math.max(1, n),
    unit: "accesses",
    total: n,
    finish,
  });
  const works: { [N in TaskName]: (args: Args<N>) => Work } = {
    import: ({ name }) => {
      let text = "";
      return {
        slices: 1,
        push: (bytes) => {
          text += new TextDecoder().decode(bytes);
          if (text.includes("trap")) trap();
        },
        progress: () => accesses(text),
        finish: () =>
          text.includes("bad")
            ? fail("bad-trace", "Not an access.", { line: 1 })
            : take(name, accesses(text)),
      };
    },
    save: () => ({
      slices: 3,
      parts: ["access\n".repeat(trace.n), ""],
      finish: () => ({ hash: `${trace.n}` }),
    }),
    export: () => ({
      slices: 51,
      unit: "parts",
      total: 50,
      parts: Array.from({ length: 50 }, () => "line\n"),
      finish: () => ({ lost: [{ what: "sizes", count: trace.n }] }),
    }),
    generate: () => run(50, () => take("made", 50)),
    experiment: ({ id }) =>
      id === "known"
        ? run(50, () => ({ id }))
        : fail("bad-config", "There is no such experiment."),
    survey: () => ({
      slices: 50,
      unit: "parts",
      total: 1000,
      finish: () => ({ samples: trace.n }),
    }),
    compareChase: ({ samples }) => ({
      slices: 5,
      unit: "parts",
      total: 1000,
      finish: () => ({ rounds: samples.adds.length }),
    }),
    attribution: () => run(5, () => ({ total: { accesses: trace.n } })),
    run: () => run(trace.n, () => ({ trace: { accesses: trace.n } })),
    runWhole: (setup) => {
      checkSetup(setup);
      const { n } = trace;
      return run(n, () => ({ trace: { accesses: n } }));
    },
    runRow: ({ hash }) => {
      const { n } = trace;
      return run(n, () => `${hash}: ${n}`);
    },
    analyse: (question) => {
      if (JSON.stringify(question).includes('"kinds":[]'))
        fail("bad-config", "No kind.", { field: "kinds" });
      const { n } = trace;
      const finish = () => ({ accesses: n });
      return { slices: n, unit: "parts", total: 1000, finish };
    },
    find: ({ index, direction }) => ({
      slices: 3,
      finish: () => index + direction,
    }),
    timeline: () => ({ slices: 1, finish: () => ({ view: {} }) }),
    openPair: () => ({
      slices: 1,
      finish: () => ({ machines: [{}, {}], reports: [{}, {}] }),
    }),
    findDifference: () => ({ slices: 1, finish: () => null }),
    comparePair: () => ({ slices: 1, finish: () => ({ differing: 0 }) }),
    pairRegions: () => ({ slices: 1, finish: () => [{}, {}] }),
  };
  const answers: {
    [N in Name]?: (args: Args<N>, bytes: Uint8Array) => unknown;
  } = {
    open: ({ name }, bytes) =>
      take(name, accesses(new TextDecoder().decode(bytes))),
    configure: (setup) => {
      checkSetup(setup);
      return { structures: [{}, {}] };
    },
    seek: ({ index, core }) => ({ step: { index }, core }),
    seekPair: ({ index }) => [{ index }, null],
    peek: (args, bytes) => ({ ...args, bytes: bytes.length }),
    checkWorkload: () => ({ errors: [], accesses: 1, bytes: 1 }),
    sweepRows: ({ spec }) => Number(spec),
    measure: (args) => args,
    crash: () => trap(),
  };
  return {
    free: () => log.push("free"),
    call: (name, json, bytes) => {
      if (name !== "crash") log.push(`${name} ${json}`);
      const answer = answers[name as Name] as typeof answers.measure;
      // Both tables have an entry for every name.
      const result = answer?.(JSON.parse(json) as Args<"measure">, bytes) ?? [];
      if (name !== "seek") return JSON.stringify(result);
      return { json: JSON.stringify(result), columns: [columns(), columns()] };
    },
    start: (name, json) => {
      log.push(`${name} ${json}`);
      const start = works[name as TaskName] as (args: unknown) => Work;
      return fakeTask(start(JSON.parse(json)), () => log.push(`end ${name}`));
    },
  };
}

function fakeTask(work: Work, onFree: () => void): WasmTask {
  let done = 0;
  const { slices, unit = "accesses", total } = work;
  return {
    slice: () => {
      if (slices > 1) wait();
      done += 1;
      return done >= slices;
    },
    push: (bytes) => {
      work.push?.(bytes);
      return false;
    },
    part: () => {
      const part = work.parts?.[done - 1];
      return part === undefined ? undefined : new TextEncoder().encode(part);
    },
    progress: () =>
      JSON.stringify({ done: work.progress?.() ?? done, total, unit }),
    finish: () => JSON.stringify(work.finish()),
    free: onFree,
  };
}

function accesses(text: string): number {
  return text.split("\n").filter((line) => line !== "").length;
}

function checkSetup(setup: object): void {
  if (JSON.stringify(setup).includes('"levels":9'))
    fail("bad-config", "Too many levels.", { field: "levels" });
}

function fail(code: string, message: string, at?: object): never {
  // The binding throws plain objects.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  throw { code, message, at };
}

function trap(): never {
  throw new WebAssembly.RuntimeError("unreachable");
}

function columns() {
  return {
    keys: new BigUint64Array(4),
    keyShift: new Uint8Array(4),
    table: new Uint8Array(4),
    filledAt: new Uint32Array(4),
    usedAt: new Uint32Array(4),
    hits: new Uint32Array(4),
    next: new Uint16Array(2),
  };
}

/** Waits as long as a slice of real work takes. */
function wait(): void {
  const until = performance.now() + 12;
  while (performance.now() < until);
}

// The rows of the table: one for each quantity, with its target.
import { MIB, median, row } from "./row.mjs";
import { siteRows } from "./siteRows.mjs";

const WASM = ["node", "chromium"];
const ALL = ["native", ...WASM];

const NAMES = {
  a: "(a) strided loads",
  b: "(b) random loads",
  c: "(c) recorded trace",
  d: "(c) on Skylake-SP, data through caches",
  n: "(b) on nested 4K pages",
  m: "(b) with all reads through caches",
  e: "(b) on nested 4K pages, all reads through caches",
};

/** The targets of simulation speed, in million accesses per second. */
const SPEED_TARGETS = {
  a: { native: 1000, wasm: 600 },
  b: { native: 50, wasm: 27 },
  c: { native: 600, wasm: 350 },
  n: { native: 15, wasm: 8 },
  m: { native: 5, wasm: 2.5 },
  e: { native: 7.5, wasm: 4 },
  d: {},
};

/**
 * A row is `{name, unit, values, targets, atMost}`: values and targets for each column, and `atMost` if less is
 * better. @param results by column what `measure` of measure.js returns; a column that was not measured is
 * missing @param {import("./siteRows.mjs").Site} site
 */
export function rowsOf(results, site) {
  return [
    ...Object.keys(NAMES).flatMap((trace) => speedRows(results, trace)),
    ...memoryRows(results),
    ...seekRows(results, "c", "(c)", 50),
    ...seekRows(results, "m", "(b), all reads through caches", 300),
    ...experimentRows(results),
    ...analysisRows(results),
    ...sweepRows(results),
    ...compiledRows(results),
    ...hugeRows(results),
    ...importRows(results),
    ...programRows(results),
    ...peerRows(results),
    ...siteRows(site),
  ];
}

function speedRows(results, trace) {
  const perSecond = (amount, seconds) =>
    column(results, ({ traces: { [trace]: t } }) =>
      t[seconds] ? t[amount] / t[seconds] / 1e6 : undefined,
    );
  return [
    row(NAMES[trace], "M accesses/s", perSecond("accesses", "seconds"), {
      targets: byColumn(SPEED_TARGETS[trace]),
    }),
    row("    page runs", "M runs/s", perSecond("runs", "seconds")),
    row(
      "    plain two-level loop",
      "M accesses/s",
      perSecond("accesses", "plainSeconds"),
    ),
    ...carefulRows(results, trace),
  ];
}

/** How many times as fast the simulator is as the same machine in a hundred lines. */
function carefulRows(results, trace) {
  const times = column(results, ({ careful, traces: { [trace]: t } }) =>
    careful?.[trace] ? careful[trace] / t.seconds : undefined,
  );
  if (times.native === undefined) return [];
  return [
    row("    against a careful loop with walks", "times as fast", times, {
      targets: { native: 1 },
    }),
  ];
}

/**
 * Other programs as whole processes on one program. A recorder that reads lackey's lines may take little longer than
 * lackey alone.
 */
function peerRows({ native }) {
  const seconds = native?.peers;
  if (!seconds) return [];
  const alone = { native: seconds.lackey };
  const ratio = { native: seconds.record / seconds.lackey };
  return [
    row("Lackey alone, into /dev/null", "s", alone),
    row("    pagewalk record --with lackey", "times as long", ratio, {
      targets: { native: 1.1 },
      atMost: true,
    }),
    row("    pagewalk run of its trace", "s", { native: seconds.run }),
    row("    cachegrind with lines of 4 KiB", "s", {
      native: seconds.cachegrind,
    }),
  ];
}

function memoryRows(results) {
  const perAccess = column(
    results,
    ({ traces: { c } }) => c.bytes / c.accesses,
  );
  const checkpoints = (trace) =>
    column(results, ({ traces }) => traces[trace].checkpointBytes / MIB);
  return [
    row("Kept of (c)", "bytes/access", perAccess, atMost(2)),
    ...["a", "b", "c"].map((trace) =>
      row(
        `Checkpoints after (${trace})`,
        "MiB",
        checkpoints(trace),
        atMost(64),
      ),
    ),
  ];
}

function seekRows(results, trace, name, limit) {
  const of = (pick) => column(results, ({ seeksMs }) => pick(seeksMs[trace]));
  const slowest = of((times) => Math.max(...times));
  return [
    row(`Seek in ${name}, slowest`, "ms", slowest, atMost(limit)),
    row("    median", "ms", of(median)),
  ];
}

function experimentRows(results) {
  const slowest = column(results, ({ experimentsMs }) =>
    experimentsMs ? Math.max(...Object.values(experimentsMs)) : undefined,
  );
  return [
    row("Slowest of the experiments", "ms", slowest, {
      targets: { node: 3000, chromium: 3000 },
      atMost: true,
    }),
  ];
}

/** The targets of stack distances in wasm: million uses per second, by the number of distinct pages. */
const DISTANCE_TARGETS = { 4096: 20, 262144: 5 };

function analysisRows(results) {
  const perSecond = (pages) =>
    column(results, ({ distances }) => {
      const found = distances?.[pages];
      return found && found.references / found.seconds / 1e6;
    });
  const distances = Object.entries(DISTANCE_TARGETS).map(([pages, target]) =>
    row(
      `Stack distances, ${Number(pages).toLocaleString("en")} pages`,
      "M references/s",
      perSecond(pages),
      { targets: { node: target, chromium: target } },
    ),
  );
  const surface = column(results, ({ surfaceSeconds }) => surfaceSeconds);
  return [
    ...distances,
    row("Sets × ways of (c), 12 × 16", "s", surface, {
      targets: { node: 0.5, chromium: 0.5 },
      atMost: true,
    }),
  ];
}

function sweepRows({ native }) {
  const [one, two] = native?.sweep?.seconds ?? [];
  const gain = one === undefined ? {} : { native: one / two };
  return [
    row("Sweep, two threads against one", "times as fast", gain, {
      targets: { native: 1.9 },
    }),
  ];
}

/** From the running program to the packed trace. */
function compiledRows({ native }) {
  const { join, mergesort } = native?.compiled ?? {};
  const of = (name, speed) =>
    row(name, "M accesses/s", speed ? { native: speed / 1e6 } : {}, {
      targets: { native: 20 },
    });
  return [
    of("Recording of a hash join compiled by pagewalk cc", join),
    of("    of a merge sort", mergesort),
  ];
}

function hugeRows({ native }) {
  const { run, huge } = native?.huge ?? {};
  const times = run === undefined ? {} : { native: huge / run };
  return [
    row("Huge pages on Zen 2, against a run", "times as long", times, {
      targets: { native: 10 },
      atMost: true,
    }),
  ];
}

/** The programs of the folder `programs`. */
const PROGRAMS = {
  matmul: "C in the page, matrix product",
  list: "C in the page, list in random order",
  sort: "C in the page, qsort",
};

/** The imported files, with their targets in MB/s in wasm. The size of a compressed file is its decompressed size. */
const IMPORTS = {
  c: ["Import of (c) from lackey text", 300],
  script: ["Import of perf script text", 200],
  perfData: ["Import of perf.data", 500],
  champsim: ["Import of ChampSim's records", 800],
  gz: ["Import of lackey text from gzip"],
  xz: ["    from xz"],
  zst: ["    from zstd"],
};

function importRows(results) {
  const speed = (name) =>
    column(results, ({ imports: { [name]: result } }) =>
      result ? result.bytes / result.seconds / 1e6 : undefined,
    );
  const memory = column(results, ({ imports: { c } }) =>
    c.memoryBytes ? c.memoryBytes / MIB : undefined,
  );
  const text = column(results, ({ imports: { c } }) => c.bytes / MIB);
  const [first, ...others] = Object.entries(IMPORTS).map(
    ([name, [title, target]]) =>
      row(title, "MB/s", speed(name), {
        targets: target ? { node: target, chromium: target } : {},
      }),
  );
  return [
    first,
    // The target is less than the size of the text, so the text cannot have been in memory as a whole.
    row("    wasm memory after it", "MiB", memory, {
      targets: { node: text.node, chromium: text.chromium },
      atMost: true,
    }),
    ...others,
  ];
}

/** Instrumented programs, from running code to the packed trace: in the site, and in a page without a sandbox. */
function programRows(results) {
  const speed = (of, name, seconds) =>
    column(results, ({ [of]: { [name]: found } = {} }) =>
      found ? found.accesses / found[seconds] / 1e6 : undefined,
    );
  return Object.entries(PROGRAMS).flatMap(([name, title]) => [
    row(title, "M accesses/s", speed("packed", name, "seconds"), {
      targets: { chromium: 30 },
    }),
    row(
      "    without the sandbox",
      "M accesses/s",
      speed("programs", name, "seconds"),
    ),
    row(
      "    its import alone",
      "M accesses/s",
      speed("programs", name, "importSeconds"),
    ),
  ]);
}

const byColumn = ({ native, wasm }) => ({ native, node: wasm, chromium: wasm });

const atMost = (limit) => ({
  targets: byColumn({ native: limit, wasm: limit }),
  atMost: true,
});

function column(results, valueOf) {
  const measured = ALL.filter((name) => results[name]);
  return Object.fromEntries(
    measured.map((name) => [name, valueOf(results[name])]),
  );
}

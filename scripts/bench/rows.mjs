// What the table tells: one row for each quantity, with what it should be.

const WASM = ["node", "chromium"];
const ALL = ["native", ...WASM];

const NAMES = {
  a: "(a) strided loads",
  b: "(b) random loads",
  c: "(c) recorded trace",
  n: "(b) on nested 4K pages",
  m: "(b) with all reads through caches",
};

/** Million accesses per second. */
const SPEED_TARGETS = {
  a: { native: 1000, wasm: 600 },
  b: { native: 50, wasm: 27 },
  c: { native: 600, wasm: 350 },
  n: { native: 15, wasm: 8 },
  m: { native: 5, wasm: 2.5 },
};

const MIB = 2 ** 20;

/**
 * A row is `{name, unit, values, targets, atMost}`: values and targets by column, `atMost` where less is better.
 * @param results by column what `measure` of measure.js returns; a column that was not measured is missing
 * @param {{visits?: {firstPaintMs: number, interactiveMs: number}[], firstRoute: {file: string, bytes: number}[]}} site
 */
export function rowsOf(results, site) {
  return [
    ...Object.keys(NAMES).flatMap((trace) => speedRows(results, trace)),
    ...memoryRows(results),
    ...seekRows(results, "c", "(c)", 50),
    ...seekRows(results, "m", "(b), all reads through caches", 300),
    ...experimentRows(results),
    ...importRows(results),
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

function importRows(results) {
  const speed = column(
    results,
    ({ import: { textBytes, seconds } }) => textBytes / seconds / 1e6,
  );
  const memory = column(results, ({ import: { memoryBytes } }) =>
    memoryBytes ? memoryBytes / MIB : undefined,
  );
  const text = column(results, (result) => result.import.textBytes / MIB);
  return [
    row("Import of (c) from lackey text", "MB/s", speed, {
      targets: { node: 300, chromium: 300 },
    }),
    // Less than the text: then it was never in memory as a whole.
    row("    wasm memory after it", "MiB", memory, {
      targets: { node: text.node, chromium: text.chromium },
      atMost: true,
    }),
  ];
}

function siteRows({ visits, firstRoute }) {
  const ofVisits = (key) =>
    visits ? { chromium: median(visits.map((visit) => visit[key])) } : {};
  const kilobytes = firstRoute.reduce((sum, { bytes }) => sum + bytes, 0) / 1e3;
  return [
    row("Site: first paint", "ms", ofVisits("firstPaintMs")),
    row("Site: replay is interactive", "ms", ofVisits("interactiveMs"), {
      targets: { chromium: 2000 },
      atMost: true,
    }),
    row(
      "Site: JS and wasm at first",
      "KB gzipped",
      { chromium: kilobytes },
      {
        targets: { chromium: 600 },
        atMost: true,
      },
    ),
  ];
}

const row = (name, unit, values, { targets = {}, atMost = false } = {}) => ({
  name,
  unit,
  values,
  targets,
  atMost,
});

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

function median(numbers) {
  const sorted = [...numbers].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]
    : (sorted[middle - 1] + sorted[middle]) / 2;
}

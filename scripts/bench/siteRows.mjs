// The rows of the built site. All were measured in Chromium.
import { CATEGORIES } from "./lighthouse.mjs";
import { MIB, median, row } from "./row.mjs";

/** @typedef {{cpu: string, accesses: number, movesMs: number[]}} Sliders */

/**
 * @typedef {{bytes: number, seconds: number, memoryBytes: number, longestFrameMs: number, cancelMs: number}}
 * LongImport
 */

/**
 * Parts that were not measured are missing. @typedef {{compiler?: import("./compiler.mjs").Compilation, visits?: {firstPaintMs: number, interactiveMs: number}[],
 * long?: LongImport, sliders?: Sliders, frames?: {framesMs: number[], pictures: number, seconds: number},
 * lighthouse?: Record<string, Record<string, Record<string, number>[]>>, firstRoute: {file: string, bytes: number}[],
 * traceBytes: number}} Site
 */

/** @param {Site} site */
export function siteRows(site) {
  return [
    ...visitRows(site),
    ...frameRows(site),
    ...lighthouseRows(site),
    ...sliderRows(site),
    ...longRows(site),
    ...compilerRows(site),
  ];
}

function compilerRows({ compiler }) {
  const of = (pick) => (compiler ? { chromium: pick(compiler) } : {});
  const unit = "s";
  return [
    row(
      "Site: the compiler of C and C++",
      "MB packed",
      of(({ bytes }) => bytes / 1e6),
    ),
    row(
      "    first compilation",
      unit,
      of(({ firstSeconds }) => firstSeconds),
    ),
    row(
      "    the same text again",
      unit,
      of(({ warmSeconds }) => warmSeconds),
      { targets: { chromium: 0.3 }, atMost: true },
    ),
    row(
      "    C++ with <iostream>",
      unit,
      of(({ streamSeconds }) => streamSeconds),
    ),
  ];
}

/** The longest that 95 of 100 frames may take: a screen shows 60 frames a second, so a frame has 16.7 ms. */
const FRAME_MS = 20;

function frameRows({ frames }) {
  const of = (pick) => (frames ? { chromium: pick(frames) } : {});
  const slow = of(({ framesMs }) => quantile(framesMs, 0.95));
  return [
    row("Site: replay at 100,000 accesses/s, 95 % of frames", "ms", slow, {
      targets: { chromium: FRAME_MS },
      atMost: true,
    }),
    row(
      "    accesses drawn",
      "1/s",
      of(({ pictures, seconds }) => pictures / seconds),
    ),
  ];
}

const PAGES = { first: "the first screen", replay: "a link to an access" };

/** The least score of a desktop computer. The scores of a phone are for information. */
const SCORE = 95;

function lighthouseRows({ lighthouse }) {
  const score = (page, form, name) =>
    lighthouse
      ? { chromium: median(lighthouse[page][form].map((each) => each[name])) }
      : {};
  return Object.entries(PAGES).flatMap(([page, title]) => [
    ...CATEGORIES.map((name) =>
      row(
        `Lighthouse: ${plain(name)} of ${title}`,
        "of 100",
        score(page, "desktop", name),
        {
          targets: { chromium: SCORE },
        },
      ),
    ),
    ...CATEGORIES.map((name) =>
      row(
        `    ${plain(name)} on a phone`,
        "of 100",
        score(page, "mobile", name),
      ),
    ),
  ]);
}

const plain = (category) => category.replace("-", " ");

function quantile(numbers, share) {
  const sorted = [...numbers].sort((x, y) => x - y);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function visitRows({ visits, firstRoute, traceBytes }) {
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
    row("    the trace beside them", "KB", { chromium: traceBytes / 1e3 }),
  ];
}

function sliderRows({ sliders }) {
  const of = (pick) => (sliders ? { chromium: pick(sliders.movesMs) } : {});
  const slowest = of((times) => Math.max(...times));
  return [
    row("Site: a slider moved, (c) run again", "ms", of(median), {
      targets: { chromium: 100 },
      atMost: true,
    }),
    row("    slowest", "ms", slowest),
  ];
}

function longRows({ long }) {
  const of = (pick) => (long ? { chromium: pick(long) } : {});
  const limit = (most) => ({ targets: { chromium: most }, atMost: true });
  return [
    row(
      "Site: import of 2 GB of lackey text",
      "MB/s",
      of(({ bytes, seconds }) => bytes / seconds / 1e6),
    ),
    row(
      "    wasm memory after it",
      "MiB",
      of(({ memoryBytes }) => memoryBytes / MIB),
      limit(600),
    ),
    row(
      "    longest time without a frame",
      "ms",
      of(({ longestFrameMs }) => longestFrameMs),
      limit(100),
    ),
    row(
      "    until it is cancelled",
      "ms",
      of(({ cancelMs }) => cancelMs),
      limit(200),
    ),
  ];
}

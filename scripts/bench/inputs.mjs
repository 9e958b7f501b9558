// The files of the import benchmarks in addition to trace (c): recordings of the test fixtures, made longer.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { inRoot } from "../lib/paths.mjs";
import { step } from "../lib/steps.mjs";
import { benchCache } from "./workloads.mjs";

/** The smallest size of a decompressed file in bytes. */
const BYTES = 100e6;

/**
 * Each file, how it is made, and its decompressed bytes. Raise the number in a file's name after a change, so that no
 * older file is used.
 */
const FILES = {
  script: { file: "perf-script-1.txt", make: perfScript },
  perfData: { file: "perf-1.data", make: perfData },
  champsim: { file: "champsim-1.trace", make: champsim },
  // With the ending .gz, the server would call the file a compressed text, and the browser would unpack its first member.
  gz: { file: "lackey-1.gz.txt", make: packed },
  xz: { file: "lackey-1.txt.xz", make: packed },
  zst: { file: "lackey-1.txt.zst", make: packed },
};

/**
 * Finds the files in the cache, or makes them.
 * @param {string} lackey trace (c)
 * @returns {Promise<{name: string, file: string, bytes: number}[]>}
 */
export async function importInputs(lackey) {
  mkdirSync(benchCache, { recursive: true });
  const wanted = Object.entries(FILES).map(([name, { file, make }]) => ({
    name,
    file: path.join(benchCache, file),
    make,
  }));
  const missing = wanted.filter(({ file }) => !existsSync(file));
  if (missing.length > 0)
    await step("Making files to import", () => {
      for (const { file, make } of missing)
        writeFileSync(file, make(file, lackey));
    });
  return wanted.map(({ name, file, make }) => ({
    name,
    file,
    bytes: make === packed ? copies() * unpacked().length : sizeOf(file),
  }));
}

const sizeOf = (file) => readFileSync(file).length;

const fixture = (...names) =>
  readFileSync(inRoot("tests", "fixtures", "traces", ...names));

/** Returns a text of perf script with every column, lines of another machine, and callchains. */
function perfScript() {
  return repeated(
    Buffer.concat([
      gunzipSync(fixture("perf", "script", "pf-full.txt.gz")),
      gunzipSync(fixture("perf", "script", "pf-callchain.txt.gz")),
      fixture("perf", "script", "adl-mem-loads.perf-script.txt"),
    ]),
  );
}

function repeated(part) {
  const copies = Math.ceil(BYTES / part.length);
  return Buffer.concat(Array.from({ length: copies }, () => part));
}

/**
 * Returns a recording that repeats the samples of a fixture. Each repetition is a second later and a page higher, and
 * ends with the end of a round (`tools/perf/Documentation/perf.data-file-format.txt`).
 */
function perfData() {
  const file = gunzipSync(fixture("perf", "data", "bp-touch.perf.data.gz"));
  const [start, size] = [40, 48].map((at) => Number(file.readBigUInt64LE(at)));
  const samples = [];
  for (let at = start; at < start + size; at += file.readUInt16LE(at + 6))
    if (file.readUInt32LE(at) === SAMPLE)
      samples.push(file.subarray(at, at + file.readUInt16LE(at + 6)));
  const round = Buffer.concat([...samples, ROUND]);
  const turns = Math.ceil(BYTES / round.length);
  const header = Buffer.from(file.subarray(0, start));
  header.writeBigUInt64LE(BigInt(turns * round.length), 48);
  // The sections after the data are left out.
  header.fill(0, 72, 104);
  const parts = [header];
  for (let turn = 0n; turn < turns; turn += 1n) {
    const later = Buffer.from(round);
    for (let at = 0; at < round.length - ROUND.length;) {
      add(later, at + TIME, turn * 1_000_000_000n);
      add(later, at + ADDRESS, turn * 4096n);
      at += round.readUInt16LE(at + 6);
    }
    parts.push(later);
  }
  return Buffer.concat(parts);
}

const SAMPLE = 9;
/** A record of type 68 with a size of 8 bytes. */
const ROUND = Buffer.from([68, 0, 0, 0, 0, 0, 8, 0]);
/** The positions of time and address in the samples of this recording. */
const TIME = 24;
const ADDRESS = 32;

function add(bytes, at, more) {
  bytes.writeBigUInt64LE(bytes.readBigUInt64LE(at) + more, at);
}

/**
 * Returns the instructions of trace (c) with their loads and stores as records of 64 bytes
 * (`inc/trace_instruction.h`).
 */
function champsim(_, lackey) {
  const text = readFileSync(lackey);
  const records = Buffer.alloc(64 * Math.ceil(BYTES / 64));
  const places = { L: [32, 40, 48, 56], S: [16, 24] };
  let at = -64;
  let free = {};
  for (let line = 0; line < text.length && at < records.length;) {
    const end = text.indexOf("\n", line);
    const [, fetch, data, address] =
      /^(?:(I) |( [LSM])) ([0-9a-f]+),/.exec(text.latin1Slice(line, end)) ?? [];
    line = end + 1;
    if (fetch) {
      at += 64;
      free = { L: [...places.L], S: [...places.S] };
      if (at < records.length)
        records.writeBigUInt64LE(BigInt(`0x${address}`), at);
    }
    if (!data || at < 0) continue;
    const kinds = data === " M" ? ["L", "S"] : [data[1]];
    for (const kind of kinds) {
      const place = free[kind].shift();
      if (place !== undefined)
        records.writeBigUInt64LE(BigInt(`0x${address}`), at + place);
    }
  }
  return records.subarray(0, Math.min(Math.max(at, 0), records.length));
}

/** Repeats a compressed lackey text. A file may have several members, streams or frames. */
function packed(file) {
  const [ending] = /\.(gz|xz|zst)\b/.exec(path.basename(file));
  const part = fixture(`matmul24.full.txt${ending}`);
  return Buffer.concat(Array.from({ length: copies() }, () => part));
}

const unpacked = () => gunzipSync(fixture("matmul24.full.txt.gz"));
const copies = () => Math.ceil(BYTES / unpacked().length);

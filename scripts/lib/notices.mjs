// The licences of the Rust crates in the command line and in the wasm module, as one text.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { inRoot, simCore } from "./paths.mjs";
import { Stop, ask } from "./run.mjs";

/** The command line contains this file, and the site's build adds it to `THIRD-PARTY.txt`. */
export const noticesFile = path.join(simCore, "THIRD-PARTY.txt");

const APACHE = "Apache-2.0";
const HEAD = `Rust crates in Pagewalk's command line and in its WebAssembly module.
Where a crate offers a choice of licences, Pagewalk uses the Apache License 2.0, else the MIT License.
The standard library of Rust (https://rust-lang.org) is part of both programs, too.
`;
const LICENCE_FILE = /^(licen[cs]e|copying|unlicense)/i;

/** Reads the licences from the sources that cargo has downloaded. */
export function rustNotices() {
  const byText = new Map();
  for (const crate of linkedCrates()) {
    for (const text of textsOf(crate)) {
      const key = text.replaceAll(/\s+/g, " ");
      const entry = byText.get(key) ?? { crates: [], text };
      entry.crates.push(`${crate.name} ${crate.version}`);
      byText.set(key, entry);
    }
  }
  const sections = [...byText.values()].map(
    ({ crates, text }) => `${crates.join(", ")}\n\n${text}\n`,
  );
  return [HEAD, ...sections].join(`\n${"-".repeat(80)}\n\n`);
}

/** The crates whose code is in a program, on any system: no macros, and nothing that only builds or tests. */
function linkedCrates() {
  const edges = ["--edges", "normal,no-proc-macro", "--target", "all"];
  const shape = ["--prefix", "none", "--format", "{p}"];
  const members = ["cli", "wasm", "instrument-wasm", "chase-wasm"].flatMap(
    (name) => ["-p", `pagewalk-${name}`],
  );
  const tree = cargo("tree", "--locked", ...members, ...edges, ...shape);
  const linked = new Set(
    tree.split("\n").map((line) => line.split(" ", 2).join(" ")),
  );
  const facts = cargo("metadata", "--locked", "--format-version", "1");
  return JSON.parse(facts)
    .packages.filter(
      ({ name, version, source }) =>
        source && linked.has(`${name} v${version}`),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function cargo(...words) {
  const answer = ask("cargo", words, simCore);
  if (answer === undefined) throw new Stop(`cargo ${words[0]} failed.`);
  return answer;
}

/**
 * Returns the licence texts of a crate: one of the licences that it offers, or all if its expression requires
 * several.
 */
function textsOf({ name, manifest_path, license }) {
  const offers = license.split(/ OR |\//);
  const folder = path.dirname(manifest_path);
  const names = readdirSync(folder).filter((name) => LICENCE_FILE.test(name));
  const read = (file) => readFileSync(path.join(folder, file), "utf8").trim();
  const notices = readdirSync(folder).filter((name) => /^notice/i.test(name));
  if (license.includes(" AND ")) return [...names, ...notices].map(read);
  if (offers.includes(APACHE)) return [apache(), ...notices.map(read)];
  const chosen =
    names.length === 1 ? names[0] : names.find((name) => /mit/i.test(name));
  if (!chosen) throw new Stop(`${name} has no file with its licence.`);
  return [read(chosen), ...notices.map(read)];
}

const apache = () => readFileSync(inRoot("LICENSE-APACHE"), "utf8").trim();

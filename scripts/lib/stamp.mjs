import { createHash } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { cache, root } from "./paths.mjs";

/** All files below the given files and folders (relative to the root), in a fixed order, without the folders to skip. */
export function filesBelow(inputs, skip = /^$/) {
  const found = [];
  const visit = (name) => {
    if (skip.test(name)) return;
    const stat = statSync(path.join(root, name), { throwIfNoEntry: false });
    if (stat?.isFile()) found.push(name);
    if (!stat?.isDirectory()) return;
    for (const entry of readdirSync(path.join(root, name)).sort())
      visit(`${name}/${entry}`);
  };
  inputs.forEach(visit);
  return found;
}

/** A hash of names and contents: times change with every clone, contents do not. */
export function hashOf(files, ...facts) {
  const hash = createHash("sha256");
  for (const fact of facts) hash.update(`${fact}\0`);
  for (const name of files) {
    const content = readFileSync(path.join(root, name));
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

const stampFile = (name) => path.join(cache, `${name}.stamp`);

export function readStamp(name) {
  try {
    return readFileSync(stampFile(name), "utf8");
  } catch {
    return undefined;
  }
}

/** Removes the stamp. The stamp is removed before a build and written after it, so an incomplete build has none. */
export function clearStamp(name) {
  rmSync(stampFile(name), { force: true });
}

export function writeStamp(name, hash) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(stampFile(name), hash);
}

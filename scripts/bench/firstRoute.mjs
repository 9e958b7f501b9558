// The files that a first visit loads before it shows a replay, compressed as by web hosts.
import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { dist } from "../lib/paths.mjs";

/**
 * The links that are followed: static imports, and files that are fetched or started as workers immediately. Dynamic
 * imports are not followed.
 */
const LINKS = {
  ".html": [
    /<script[^>]*\ssrc="([^"]+)"/g,
    /rel="modulepreload"[^>]*href="([^"]+)"/g,
  ],
  ".js": [
    /\b(?:import|from)\s*["'`](\.{0,2}\/?[^"'`]+\.js)["'`]/g,
    /new URL\(\s*["'`]([^"'`]+\.(?:js|wasm))["'`]\s*,\s*import\.meta\.url/g,
  ],
};

/** @returns {{file: string, bytes: number}[]} the HTML, all its scripts, the worker and the wasm, in gzipped bytes */
export function firstRoute() {
  const found = new Map();
  const visit = (file) => {
    if (found.has(file)) return;
    const content = readFileSync(path.join(dist, file));
    found.set(file, gzipSync(content, { level: 9 }).length);
    for (const pattern of LINKS[path.extname(file)] ?? [])
      for (const [, link] of content.toString("utf8").matchAll(pattern))
        visit(path.join(path.dirname(file), link));
  };
  visit("index.html");
  return [...found].map(([file, bytes]) => ({ file, bytes }));
}

/** Returns the bytes of the largest example trace. The site opens with one of these traces. */
export function shippedTrace() {
  const folder = path.join(dist, "traces");
  const sizes = readdirSync(folder).map(
    (name) => statSync(path.join(folder, name)).size,
  );
  return Math.max(...sizes);
}

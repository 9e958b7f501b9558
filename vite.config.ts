import { readFileSync } from "node:fs";
import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";

const NOTICES = "THIRD-PARTY.txt";

/** Adds the licences of the Rust crates to those of the npm packages, which Vite writes. */
const rustNotices: Plugin = {
  name: "rust-notices",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const notices = bundle[NOTICES];
      if (notices?.type !== "asset")
        throw new Error(`No ${NOTICES} to add to.`);
      const crates = readFileSync(`sim-core/${NOTICES}`, "utf8");
      notices.source = `${String(notices.source)}\n\n${crates}`;
    },
  },
};

/**
 * What the page may load: its own files, and no code but that in them. Styles are set on elements. A `meta` element cannot
 * forbid other pages to frame this one, which is wanted. The frame of loops is a file with a policy of its own.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** In the built site only: the development server puts scripts into the page. */
const policy: Plugin = {
  name: "policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
      injectTo: "head-prepend",
    },
  ],
};

interface Modules {
  readonly getModuleInfo: (
    id: string,
  ) => { readonly importedIds: readonly string[] } | null;
}

let first: Set<string> | undefined;

/** Returns whether a module is needed on opening: one file packs better than many that lazy parts share. */
function isFirst(id: string, modules: Modules): boolean {
  if (!first) {
    first = new Set([path.resolve("src/app/main.tsx")]);
    // The set grows while it is walked.
    for (const each of first)
      for (const next of modules.getModuleInfo(each)?.importedIds ?? [])
        first.add(next);
  }
  return first.has(id);
}

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as {
  version: string;
};

export default defineConfig({
  define: { "import.meta.env.PAGEWALK_VERSION": JSON.stringify(version) },
  // Relative addresses: dist/ works from any sub-path of any static host.
  base: "./",
  plugins: [react(), rustNotices, policy],
  worker: { format: "es" },
  build: {
    target: "es2023",
    // The wasm file must stay a file of its own: the browser compiles it while it arrives.
    assetsInlineLimit: 0,
    license: { fileName: NOTICES },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: (id, context) => (isFirst(id, context) ? "first" : null),
              debugName: "first",
            },
          ],
        },
      },
    },
  },
});

import { readFileSync } from "node:fs";
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

export default defineConfig({
  // Relative addresses: dist/ works from any sub-path of any static host.
  base: "./",
  plugins: [react(), rustNotices],
  worker: { format: "es" },
  build: {
    target: "es2023",
    // The wasm file must stay a file of its own: the browser compiles it while it arrives.
    assetsInlineLimit: 0,
    license: { fileName: NOTICES },
  },
});

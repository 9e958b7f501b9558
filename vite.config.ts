import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: dist/ works from any sub-path of any static host.
  base: "./",
  plugins: [react()],
  worker: { format: "es" },
  build: {
    target: "es2023",
    // The wasm file must stay a file of its own: the browser compiles it while it arrives.
    assetsInlineLimit: 0,
  },
});

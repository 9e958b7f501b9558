import { mergeConfig } from "vite";
import { defineConfig } from "vitest/config";
import site from "./vite.config.ts";

// `.test.ts` files run in Node, `.test.tsx` files with a document. A file that differs says so in
// its first line: `// @vitest-environment jsdom`. Files share the modules of their worker, which
// halves the processor time; those of the engine do not, for each of them loads the simulator.
export default mergeConfig(
  site,
  defineConfig({
    test: {
      setupFiles: ["tests/setup.ts"],
      // A slow machine is no error.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      projects: [
        {
          extends: true,
          test: {
            name: "engine",
            include: ["tests/engine/**/*.test.{ts,tsx}"],
            environment: "node",
          },
        },
        {
          extends: true,
          test: {
            name: "node",
            include: ["{tests,src}/**/*.test.ts"],
            exclude: ["tests/engine/**"],
            environment: "node",
            isolate: false,
          },
        },
        {
          extends: true,
          test: {
            name: "document",
            include: ["{tests,src}/**/*.test.tsx"],
            exclude: ["tests/engine/**"],
            environment: "jsdom",
            isolate: false,
          },
        },
      ],
    },
  }),
);

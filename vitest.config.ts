import { mergeConfig } from "vite";
import { defineConfig } from "vitest/config";
import site from "./vite.config.ts";

// Tests run in Node. A test that needs a document says so in its first line:
// `// @vitest-environment jsdom`.
export default mergeConfig(
  site,
  defineConfig({
    test: {
      include: ["tests/**/*.test.{ts,tsx}", "src/**/*.test.{ts,tsx}"],
      setupFiles: ["tests/setup.ts"],
      environment: "node",
      // A slow machine is no error.
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  }),
);

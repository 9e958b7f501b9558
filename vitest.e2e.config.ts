import { defineConfig } from "vitest/config";

// End-to-end tests drive a real Chromium against the built site in dist/.
// They share one browser and one machine, so files run one after the other.
export default defineConfig({
  test: {
    include: ["tests/e2e/**/*.e2e.ts"],
    globalSetup: ["tests/e2e/server.ts"],
    environment: "node",
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});

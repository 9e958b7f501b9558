import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./tests/e2e/patience";

// End-to-end tests drive a real Chromium against the built site in dist/.
// They share one browser and one machine, so files run one after the other.
export default defineConfig({
  test: {
    include: ["tests/e2e/**/*.e2e.ts"],
    globalSetup: ["tests/e2e/server.ts"],
    environment: "node",
    fileParallelism: false,
    expect: { poll: { timeout: PATIENCE_MS } },
    // Many waits, each of which may take its time.
    testTimeout: 10 * PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
  },
});

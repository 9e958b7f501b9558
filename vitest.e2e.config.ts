import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./tests/e2e/patience";

// End-to-end tests drive a real Chromium against the built site in dist/.
// Each file has a browser of its own, and two files run at a time.
export default defineConfig({
  test: {
    include: ["tests/e2e/**/*.e2e.ts"],
    globalSetup: ["tests/e2e/server.ts"],
    environment: "node",
    maxWorkers: 2,
    expect: { poll: { timeout: PATIENCE_MS } },
    // Many waits, each of which may take its time.
    testTimeout: 10 * PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
  },
});

import { afterEach, vi } from "vitest";

// Testing Library only cleans up by itself where test functions are globals.
if (typeof document !== "undefined") {
  const { cleanup } = await import("@testing-library/react");
  afterEach(cleanup);
  // jsdom has none.
  vi.stubGlobal("CSS", { escape: (text: string) => text });
}

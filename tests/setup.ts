import { afterEach, vi } from "vitest";

// Testing Library only cleans up by itself where test functions are globals.
if (typeof document !== "undefined") {
  const { cleanup, configure } = await import("@testing-library/react");
  afterEach(cleanup);
  // A slow machine is no error.
  configure({ asyncUtilTimeout: 30_000 });
  // jsdom has no `CSS`.
  vi.stubGlobal("CSS", { escape: (text: string) => text });
}

/** Tests of the page's side of the worker, with a worker and locks that the test controls. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Reply } from "../../src/engine/protocol";
import { workerEngine } from "../../src/engine/workerEngine";

class FakeWorker {
  static last: FakeWorker;
  onmessage?: (event: { data: Reply }) => void;
  onerror?: (event: { message: string; preventDefault(): void }) => void;
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();

  constructor() {
    FakeWorker.last = this;
  }

  says(type: "started" | "ready"): void {
    this.onmessage?.({ data: { type } });
  }
}

/** Ends the worker: the browser gives its lock to the page. */
let ends: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("Worker", FakeWorker);
  const request = (_: string, __: object, then: () => void) =>
    new Promise<void>((resolve) => {
      ends = () => {
        then();
        resolve();
      };
    });
  vi.stubGlobal("navigator", { hardwareConcurrency: 2, locks: { request } });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens an engine with one call, which waits until the worker is ready. */
function waiting() {
  const engine = workerEngine();
  const call = engine.call("cpus", {});
  call.catch(() => undefined);
  return { engine, call, worker: FakeWorker.last };
}

test("a_worker_that_ends_before_it_is_ready_asks_to_reload", async () => {
  const { engine, call, worker } = waiting();
  worker.says("started");
  ends();
  const message =
    "The simulator's worker stopped: the browser ended it. Reload the page.";
  await expect(call).rejects.toMatchObject({ code: "crashed", message });
  await expect(engine.call("cpus", {})).rejects.toMatchObject({ message });
  expect(worker.terminate).toHaveBeenCalled();
});

test("a_worker_whose_script_never_starts_asks_to_reload", async () => {
  const { call } = waiting();
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(call).rejects.toMatchObject({
    message:
      "The simulator's worker stopped: its script has not started for a minute. Reload the page.",
  });
});

test("a_script_that_cannot_be_loaded_asks_to_reload", async () => {
  const { call, worker } = waiting();
  worker.onerror?.({ message: "", preventDefault: () => undefined });
  await expect(call).rejects.toMatchObject({
    message:
      "The simulator's worker stopped: its script could not be loaded. Reload the page.",
  });
});

test("a_slow_module_is_waited_for", async () => {
  const { worker } = waiting();
  worker.says("started");
  await vi.advanceTimersByTimeAsync(600_000);
  expect(worker.terminate).not.toHaveBeenCalled();
});

test("a_worker_that_was_ready_is_replaced", async () => {
  const { call, worker } = waiting();
  worker.says("started");
  worker.says("ready");
  ends();
  await expect(call).rejects.toMatchObject({
    message: "The simulator's worker stopped: the browser ended it.",
  });
  expect(FakeWorker.last).not.toBe(worker);
});

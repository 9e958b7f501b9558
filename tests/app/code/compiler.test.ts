/** The queue of the worker that compiles, with a worker that answers when the test says so. */
import { beforeEach, expect, test, vi } from "vitest";
import type { Answer, Job } from "../../../src/app/code/compilerMessages";
import type { ProgramCode } from "../../../src/model/code/program";

class FakeWorker {
  static readonly all: FakeWorker[] = [];
  readonly jobs: Job[] = [];
  isEnded = false;
  onmessage: ((event: { data: Answer }) => void) | undefined;

  constructor() {
    FakeWorker.all.push(this);
  }

  postMessage(job: Job) {
    this.jobs.push(job);
  }

  terminate() {
    this.isEnded = true;
  }

  answer(job: Job | undefined, answer: object) {
    this.onmessage?.({ data: { id: job?.id ?? 0, ...answer } as Answer });
  }
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("document", { baseURI: "http://localhost/" });
  FakeWorker.all.length = 0;
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

const code = (text: string): ProgramCode => ({
  source: { text, language: "c", level: "1" },
});

/** Compiles, and says what came of it. */
async function compile(text: string) {
  const { makeProgram } = await import("../../../src/app/code/compiler");
  const abort = new AbortController();
  const made = makeProgram(code(text), {
    signal: abort.signal,
    onStep: () => {},
  });
  const state = { abort, result: "waits" };
  void made.then((result) => {
    state.result = !result
      ? "nothing"
      : "stage" in result
        ? result.message
        : "made";
  });
  return state;
}

const texts = (worker: FakeWorker | undefined) =>
  worker?.jobs.map(({ task }) =>
    typeof task === "object" && "source" in task ? task.source.text : "",
  );

test("a_cancelled_compilation_that_does_not_end_holds_up_nobody", async () => {
  const endless = await compile("endless");
  const [worker] = FakeWorker.all;
  worker?.answer(worker.jobs[0], { step: { what: "compiling" } });
  endless.abort.abort();
  const next = await compile("next");
  await vi.advanceTimersByTimeAsync(1000);
  expect([endless.result, next.result]).toEqual(["nothing", "waits"]);
  expect(worker?.isEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(1500);
  const [, another] = FakeWorker.all;
  expect(worker?.isEnded).toBe(true);
  expect(texts(another)).toEqual(["next"]);
  another?.answer(another.jobs[0], { step: { what: "compiling" } });
  // The time of the cancelled job is not that of the next.
  await vi.advanceTimersByTimeAsync(119_000);
  another?.answer(another.jobs[0], { made: {} });
  await vi.advanceTimersByTimeAsync(0);
  expect(next.result).toBe("made");
});

test("a_compilation_that_takes_too_long_ends_alone", async () => {
  const slow = await compile("slow");
  const other = await compile("other");
  const [worker] = FakeWorker.all;
  worker?.answer(worker.jobs[0], { step: { what: "compiling" } });
  await vi.advanceTimersByTimeAsync(121_000);
  expect(slow.result).toMatch(/^Stopped after 120 seconds/);
  expect(other.result).toBe("waits");
  expect(texts(FakeWorker.all[1])).toEqual(["other"]);
});

test("a_cancelled_download_goes_on_for_others", async () => {
  const first = await compile("first");
  const second = await compile("second");
  const [worker] = FakeWorker.all;
  const step = { what: "loading", done: 1, total: 2 };
  worker?.answer(worker.jobs[0], { step });
  first.abort.abort();
  await vi.advanceTimersByTimeAsync(5000);
  expect(worker?.isEnded).toBe(false);
  worker?.answer(worker.jobs[1], { step });
  second.abort.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(worker?.isEnded).toBe(true);
  expect([first.result, second.result]).toEqual([
    "nothing",
    "The download was cancelled.",
  ]);
});

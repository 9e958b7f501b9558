/** The frame that runs programs, where the browser loads it late. */
import { afterEach, expect, test, vi } from "vitest";
import { prepareSandbox } from "../../../src/app/code/sandbox";

afterEach(() => void vi.useRealTimers());

/** A frame whose inner window the test plays. It reads what is sent to the program. */
function open() {
  const sandbox = prepareSandbox();
  const outer = [...document.querySelectorAll("iframe")].at(-1);
  if (!outer) throw new Error("There is no frame.");
  const sent: unknown[] = [];
  const source = {
    parent: outer.contentWindow,
    postMessage: (message: unknown) => void sent.push(message),
  };
  const missing = vi.fn();
  const crashed = vi.fn();
  const run = () =>
    sandbox.open({
      source: "code",
      start: 7,
      onMessage: () => undefined,
      onCrash: crashed,
      onMissing: missing,
    });
  return {
    sandbox,
    sent,
    missing,
    crashed,
    run,
    load: () => outer.dispatchEvent(new Event("load")),
    say: (data: unknown) =>
      dispatchEvent(Object.assign(new Event("message"), { source, data })),
  };
}

const PROGRAM = { source: "code", start: 7 };

test("a_program_that_waits_for_its_frame_starts_once_when_it_is_ready", () => {
  const { sandbox, sent, run, say } = open();
  run();
  expect(sent).toEqual([]);
  say("ready");
  expect(sent).toEqual([PROGRAM]);
  sandbox.close();
});

test("a_frame_that_is_ready_first_starts_its_program_at_the_run", () => {
  const { sandbox, sent, run, say } = open();
  say("ready");
  expect(sent).toEqual([]);
  run();
  expect(sent).toEqual([PROGRAM]);
  sandbox.close();
});

test("a_frame_that_was_missing_before_the_run_and_is_ready_at_last_is_used", () => {
  vi.useFakeTimers();
  const { sandbox, sent, missing, run, load, say } = open();
  load();
  vi.advanceTimersByTime(2000);
  say("ready");
  run();
  expect(sent).toEqual([PROGRAM]);
  expect(missing).not.toHaveBeenCalled();
  sandbox.close();
});

test("a_frame_without_its_page_is_told_at_the_run", async () => {
  vi.useFakeTimers();
  const { sandbox, sent, missing, run, load } = open();
  load();
  vi.advanceTimersByTime(2000);
  run();
  await Promise.resolve();
  expect(missing).toHaveBeenCalledOnce();
  expect(sent).toEqual([]);
  sandbox.close();
});

test("a_frame_that_is_silent_for_four_seconds_has_ended", () => {
  vi.useFakeTimers();
  const { sandbox, crashed, run, say } = open();
  run();
  say("ready");
  vi.advanceTimersByTime(3500);
  say("alive");
  vi.advanceTimersByTime(3000);
  expect(crashed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(crashed).toHaveBeenCalledExactlyOnceWith("");
  sandbox.close();
});

test("a_closed_frame_starts_nothing", () => {
  const { sandbox, sent, run, say } = open();
  run();
  sandbox.close();
  say("ready");
  expect(sent).toEqual([]);
});

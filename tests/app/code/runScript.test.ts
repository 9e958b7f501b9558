/** Runs of JavaScript whose sandbox the test plays. */
import { expect, test, vi } from "vitest";
import { runProgram } from "../../../src/app/code/runScript";
import type { SandboxProps } from "../../../src/app/code/sandbox";
import { readParts } from "../../../src/engine/parts";

const played: SandboxProps[] = [];
vi.mock("../../../src/app/code/sandbox", () => ({
  openSandbox: (props: SandboxProps) => {
    played.push(props);
    return { close: () => undefined };
  },
}));

const array = (start: number) => ({ name: "a", start, length: 4, size: 8 });
const chunk = (n: number) => ({ chunk: new ArrayBuffer(12 * n + 5), n });
const done = { done: { arrays: [array(0x1000)], log: [] } };

/** Begins a run, and an import that reads what comes. */
function begin() {
  const abort = new AbortController();
  const sizes: number[] = [];
  let ended: string | undefined;
  const read = async (file: MessagePort) => {
    const parts = readParts(file);
    for (;;) {
      const part = await parts.next();
      if (!part) break;
      sizes.push(part.length);
    }
    ended ??= "whole";
  };
  const onEnd = vi.fn();
  const running = runProgram("load(4096)", {
    signal: abort.signal,
    onProgress: () => undefined,
    packing: {
      begin: (file) =>
        read(file).catch((error: unknown) => {
          ended = String(error);
        }),
      onEnd,
    },
  });
  const props = played.at(-1);
  if (!props) throw new Error("There is no sandbox.");
  return { ...props, abort, running, sizes, onEnd, ended: () => ended };
}

test("accesses_are_imported_while_the_program_runs", async () => {
  const { onMessage, running, sizes, onEnd, ended } = begin();
  onMessage({ array: array(0x1000) });
  onMessage(chunk(3));
  await vi.waitFor(() => expect(sizes).toHaveLength(3));
  expect(sizes.slice(1)).toEqual([60, 36]);
  expect(onEnd).not.toHaveBeenCalled();
  onMessage(done);
  const ran = await running;
  if (!ran || "message" in ran) throw new Error("It failed.");
  expect(onEnd).toHaveBeenCalledOnce();
  expect(ran.result.accesses).toBe(3);
  expect(ran.file()).toBe(ran.file());
  expect(ran.file().size).toBe(sizes.reduce((sum, size) => sum + size));
  await vi.waitFor(() => expect(ended()).toBe("whole"));
});

test.each<[string, unknown, string]>([
  ["throws", { failed: { message: "No." } }, "No."],
  ["makes_too_many_arrays", undefined, "invalid data"],
])("a_program_that_%s_leaves_no_import", async (_, message, said) => {
  const { onMessage, running, onEnd, ended } = begin();
  onMessage(chunk(1));
  if (message === undefined)
    for (let n = 0; n < 1001; n += 1) onMessage({ array: array(0x1000) });
  onMessage(message);
  expect(await running).toMatchObject({
    message: expect.stringContaining(said) as string,
  });
  await vi.waitFor(() => expect(ended()).toContain("Cancelled"));
  expect(onEnd).not.toHaveBeenCalled();
});

test("a_run_that_is_aborted_ends_its_import", async () => {
  const { onMessage, running, abort, ended } = begin();
  onMessage(chunk(1));
  abort.abort();
  expect(await running).toBeUndefined();
  await vi.waitFor(() => expect(ended()).toBeDefined());
});

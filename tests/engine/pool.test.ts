import { expect, test, vi } from "vitest";
import type { Args, Result, TaskName } from "../../src/engine/calls";
import { EngineError } from "../../src/engine/engine";
import type { Setup, TaskOptions } from "../../src/engine/engine";
import { RunPool } from "../../src/engine/pool";
import type { Runner } from "../../src/engine/pool";
import { wasmEngine } from "./wasm";

type Named<N extends TaskName> = {
  [K in N]: { readonly name: K; readonly args: Args<K> };
}[N];

/**
 * Fake instances. The name of a machine is the duration of its run in milliseconds; `trap` kills the instance,
 * `bad` is an error.
 */
function start({ size = 2, bytes = 10, idleMs = 1000 } = {}) {
  const log: string[] = [];
  let made = 0;
  let saves = 0;
  const make = (): Runner => {
    const id = ++made;
    const isOver = new AbortController();
    log.push(`make ${id}`);
    const runWhole = async (name: string, options: TaskOptions) => {
      if (name === "trap") throw new EngineError("crashed", "It stopped.");
      if (name === "bad") throw new EngineError("bad-config", "No.");
      const { signal, onProgress } = options;
      onProgress?.({ done: 1, total: 2, unit: "accesses", rate: 1 });
      await new Promise((resolve, reject) => {
        const end = () => reject(new EngineError("cancelled", "Cancelled."));
        setTimeout(resolve, Number(name));
        signal?.addEventListener("abort", end);
        isOver.signal.addEventListener("abort", end);
      });
      return { machine: name };
    };
    const runRow = ({ spec, row, hash }: Args<"runRow">) => {
      log.push(`row ${row} of ${spec}`);
      if (row === 13) throw new EngineError("crashed", "It stopped.");
      return `${row}, ${hash}`;
    };
    const start = async (
      call: Named<"import" | "runWhole" | "runRow">,
      options: TaskOptions,
    ): Promise<unknown> => {
      if (call.name === "import")
        log.push(`open ${(call.args.file as Blob).size}`);
      if (call.name === "runWhole")
        return runWhole(call.args.machine.name, options);
      return call.name === "runRow" ? runRow(call.args) : undefined;
    };
    return {
      start: <N extends TaskName>(
        name: N,
        args: Args<N>,
        options: TaskOptions = {},
      ) =>
        // No other task is started here.
        start(
          { name, args } as Parameters<typeof start>[0],
          options,
        ) as Promise<Result<N>>,
      dispose: () => {
        log.push(`dispose ${id}`);
        isOver.abort();
      },
    };
  };
  const save = () => {
    saves += 1;
    return Promise.resolve({
      file: { size: bytes } as Blob,
      hash: "of the trace",
    });
  };
  const pool = new RunPool({ make, save, size, idleMs });
  return { pool, log, made: () => made, saves: () => saves };
}

const rowsOf = (...rows: readonly number[]) =>
  rows.map((row) => ({ spec: "spec", row }));

const setups = (...names: (string | number)[]) =>
  names.map((name) => ({ machine: { name: `${name}` } }) as Setup);

test("outcomes_come_as_they_end_and_are_given_back_in_order", async () => {
  const { pool, saves, made } = start();
  const order: number[] = [];
  const outcomes = await pool.run("runWhole", setups(80, 10, 30), {
    onOutcome: ({ index }) => order.push(index),
  });
  expect(order).toEqual([1, 2, 0]);
  expect(outcomes).toMatchObject(
    [80, 10, 30].map((ms, index) => ({ index, result: { machine: `${ms}` } })),
  );
  // The next runs already have a copy of the trace.
  await pool.run("runWhole", setups(1, 1, 1));
  expect([saves(), made()]).toEqual([1, 2]);
  pool.letGo();
});

test("no_more_instances_are_made_than_there_are_runs_or_room_for_the_trace", async () => {
  for (const [options, n] of [
    [{ size: 8 }, 3],
    [{ size: 1 }, 1],
    [{ size: 8, bytes: 150_000_000 }, 2],
    [{ size: 8, bytes: 4_000_000_000 }, 1],
  ] as const) {
    const { pool, made } = start(options);
    await pool.run("runWhole", setups(5, 5, 5));
    expect(made()).toBe(n);
    pool.letGo();
  }
});

test("a_trap_fails_its_run_and_the_others_go_on", async () => {
  const { pool, log } = start({ size: 1 });
  const outcomes = await pool.run("runWhole", setups(1, "trap", "bad", 2));
  expect(outcomes).toMatchObject([
    { result: { machine: "1" } },
    { error: { code: "crashed" } },
    { error: { code: "bad-config" } },
    { result: { machine: "2" } },
  ]);
  expect(log).toEqual(["make 1", "open 10", "dispose 1", "make 2", "open 10"]);
  pool.letGo();
});

test("what_is_cancelled_ends_and_other_runs_go_on", async () => {
  const { pool } = start({ size: 1 });
  const abort = new AbortController();
  const heard: number[] = [];
  const many = pool.run("runWhole", setups(1, 10_000, 10_000), {
    signal: abort.signal,
    onOutcome: ({ index }) => {
      heard.push(index);
      abort.abort();
    },
  });
  const other = pool.run("runWhole", setups(3));
  await expect(many).rejects.toMatchObject({ code: "cancelled" });
  expect(await other).toMatchObject([{ result: { machine: "3" } }]);
  expect(heard).toEqual([0]);
  const signal = AbortSignal.abort();
  await expect(
    pool.run("runWhole", setups(1), { signal }),
  ).rejects.toMatchObject({
    code: "cancelled",
  });
  pool.letGo();
});

test("when_the_trace_changes_everything_is_let_go", async () => {
  const { pool, log, saves } = start();
  const many = pool.run("runWhole", setups(10_000, 10_000, 10_000));
  await new Promise((resolve) => setTimeout(resolve, 20));
  pool.letGo();
  await expect(many).rejects.toMatchObject({ code: "cancelled" });
  expect(log.slice(-2)).toEqual(["dispose 1", "dispose 2"]);
  expect(await pool.run("runWhole", setups(1))).toMatchObject([
    { result: { machine: "1" } },
  ]);
  expect(saves()).toBe(2);
  pool.letGo();
});

test("after_a_while_without_runs_the_instances_are_let_go", async () => {
  const { pool, log } = start({ idleMs: 5 });
  await pool.run("runWhole", setups(1, 1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(log.slice(-2)).toEqual(["dispose 1", "dispose 2"]);
  expect(await pool.run("runWhole", setups(1))).toHaveLength(1);
  pool.letGo();
});

test("many_runs_count_what_each_alone_counts", async () => {
  const engine = wasmEngine();
  const cpus = (await engine.call("cpus", {})).filter(({ id }) =>
    /zen|haswell/.test(id),
  );
  await engine.start("generate", {
    id: "uniform",
    params: { bytes: "4M", accesses: "20000" },
  });
  const all = cpus.map(({ machine }): Setup => ({
    machine,
    os: { default: "4K", regions: [], frames: "sequential" },
  }));
  const alone = [];
  for (const setup of all) alone.push(await engine.start("runWhole", setup));
  const outcomes = await engine.many("runWhole", all);
  expect(outcomes).toEqual(alone.map((result, index) => ({ index, result })));
  engine.dispose();
});

test("rows_of_a_sweep_let_other_runs_go_first", async () => {
  const { pool } = start({ size: 1 });
  const ended: string[] = [];
  const rows = pool.run("runRow", rowsOf(0, 1, 2, 3), {
    onOutcome: ({ index: row }) => {
      ended.push(`row ${row}`);
    },
  });
  const run = pool.run("runWhole", setups(1), {
    onOutcome: () => ended.push("run"),
  });
  await Promise.all([rows, run]);
  expect(ended.indexOf("run")).toBeLessThanOrEqual(1);
  expect(ended).toHaveLength(5);
  pool.letGo();
});

test("a_task_that_has_ended_does_not_listen_any_more", async () => {
  const { pool } = start();
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  await pool.run("runRow", rowsOf(1, 2, 3), { signal });
  expect(added).toHaveBeenCalledTimes(3);
  expect(removed).toHaveBeenCalledTimes(3);
  pool.letGo();
});

test("rows_of_a_sweep_are_spread_like_runs_and_fail_alone", async () => {
  const { pool, made } = start();
  const found: number[] = [];
  const outcomes = await pool.run("runRow", rowsOf(4, 13, 2), {
    onOutcome: ({ index }) => found.push(index),
  });
  expect(outcomes).toMatchObject([
    { index: 0, result: "4, of the trace" },
    { index: 1, error: { code: "crashed" } },
    { index: 2, result: "2, of the trace" },
  ]);
  expect(found).toHaveLength(3);
  expect(made()).toBeLessThanOrEqual(3);
  pool.letGo();
});

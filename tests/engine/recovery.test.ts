/** Tests of the recovery of the engine after a crash of its instance. */
import { expect, test } from "vitest";
import { directEngine } from "../../src/engine/directEngine";
import { lines, setup, start } from "./fakeClient";
import { fakeModules } from "./fakeModule";

test("a_generated_trace_is_generated_again_after_a_trap", async () => {
  const { engine, log } = start();
  const workload = { id: "uniform", params: {} };
  await engine.start("generate", workload);
  await engine.call("configure", setup());
  await engine.start("run", {});
  await expect(engine.call("crash", {})).rejects.toMatchObject({
    code: "crashed",
  });
  expect(await engine.recovery()).toMatchObject({
    outcome: "restored",
    workload,
  });
  const generated = log.filter((line) => line.startsWith("generate"));
  expect(generated).toHaveLength(2);
});

test("a_trap_is_told_and_the_next_instance_has_trace_machine_and_run", async () => {
  const { engine, log, instances } = start();
  await engine.start("import", { file: lines(3), name: "a" });
  await engine.call("configure", setup());
  await engine.start("run", {});
  const before = log.length;
  await expect(engine.call("crash", {})).rejects.toMatchObject({
    code: "crashed",
  });
  expect(await engine.recovery()).toMatchObject({
    outcome: "restored",
    trace: { name: "a", n_accesses: 3 },
    setup: setup(),
    report: { trace: { accesses: 3 } },
  });
  expect(log.slice(before)).toEqual(log.slice(0, before));
  expect((await engine.call("seek", { index: 2 })).step.index).toBe(2);
  expect(instances()).toBe(2);
});

test("calls_made_during_a_restoration_wait_for_it", async () => {
  const { engine } = start();
  await engine.start("import", { file: lines(4), name: "a" });
  await engine.call("configure", setup());
  await engine.start("run", {});
  const crash = engine.call("crash", {});
  await expect(crash).rejects.toMatchObject({ code: "crashed" });
  expect(await engine.start("run", {})).toMatchObject({
    trace: { accesses: 4 },
  });
});

test("a_file_that_traps_does_not_lose_the_trace_of_before", async () => {
  const { engine } = start();
  await engine.start("import", { file: lines(4), name: "good" });
  await engine.call("configure", setup());
  await engine.start("run", {});
  await expect(
    engine.start("import", { file: new Blob(["trap"]), name: "evil" }),
  ).rejects.toMatchObject({ code: "crashed" });
  expect(await engine.recovery()).toMatchObject({ outcome: "restored" });
  expect(await engine.start("run", {})).toMatchObject({
    trace: { accesses: 4 },
  });
});

test("a_machine_on_which_no_run_ended_is_not_restored", async () => {
  const { engine } = start();
  await engine.start("import", { file: lines(4), name: "a" });
  await engine.call("configure", setup({ name: "good" }));
  await engine.start("run", {});
  await engine.call("configure", setup({ name: "suspect" }));
  await expect(engine.call("crash", {})).rejects.toMatchObject({
    code: "crashed",
  });
  expect(await engine.recovery()).toMatchObject({
    setup: { machine: { name: "good" } },
  });
});

test("a_restoration_that_crashes_too_ends_with_an_empty_engine", async () => {
  const log: string[] = [];
  let instances = 0;
  const engine = directEngine(() => {
    const modules = fakeModules(log);
    instances += 1;
    if (instances !== 2) return Promise.resolve(modules);
    const { small } = modules;
    const newSession = () => {
      const session = small.newSession();
      const call: typeof session.call = (name, args, bytes) => {
        if (name === "configure")
          throw new WebAssembly.RuntimeError("unreachable");
        return session.call(name, args, bytes);
      };
      return { ...session, call };
    };
    const broken = { ...small, newSession };
    const whole = () => Promise.resolve(broken);
    return Promise.resolve({ small: broken, whole });
  });
  await engine.start("import", { file: lines(4), name: "a" });
  await engine.call("configure", setup());
  await engine.start("run", {});
  await expect(engine.call("crash", {})).rejects.toMatchObject({
    code: "crashed",
  });
  expect(await engine.recovery()).toEqual({ outcome: "lost" });
  expect(instances).toBe(3);
  expect(
    await engine.start("import", { file: lines(1), name: "b" }),
  ).toMatchObject({ name: "b" });
});

test("a_module_that_does_not_load_fails_every_call_and_is_not_tried_for_ever", async () => {
  let tries = 0;
  const engine = directEngine(() => {
    tries += 1;
    return Promise.reject(new Error("no module"));
  });
  await expect(engine.call("cpus", {})).rejects.toMatchObject({
    code: "crashed",
  });
  await expect(engine.call("cpus", {})).rejects.toMatchObject({
    code: "crashed",
  });
  expect(tries).toBe(1);
});

test("after_a_crash_a_shipped_trace_is_opened_again", async () => {
  const { engine } = start();
  await engine.call("open", { file: lines(3), name: "shipped" });
  await engine.call("configure", setup());
  await engine.start("run", {});
  await expect(engine.call("crash", {})).rejects.toMatchObject({
    code: "crashed",
  });
  expect(await engine.recovery()).toMatchObject({
    outcome: "restored",
    trace: { name: "shipped", n_accesses: 3 },
  });
});

import { expect, test } from "vitest";
import { permalink } from "../../src/state/selectors";
import { N, settle, startApp } from "./app";

const uniform = { id: "uniform", params: { accesses: "90" } };

test("a_generated_trace_becomes_the_trace_and_the_link_makes_it_again", async () => {
  const { actions, state } = await startApp();
  await actions.generateTrace({ workload: uniform });
  expect(state()).toMatchObject({
    trace: { name: "uniform", n_accesses: 90 },
    builtIn: undefined,
    workload: uniform,
    generating: undefined,
    window: { from: 0, to: 90 },
    stale: false,
  });
  const link = permalink(state());
  expect(link).toMatchObject({ workload: uniform });
  const other = await startApp(link);
  expect(other.state()).toMatchObject({
    trace: { name: "uniform", n_accesses: 90 },
    workload: uniform,
    cursor: link.access,
  });
  expect(other.engine.log).not.toContain("import");
});

test("another_trace_is_not_generated_any_more", async () => {
  const { actions, state } = await startApp();
  await actions.generateTrace({ workload: uniform });
  await actions.importFile({ file: new Blob(["x"]), name: "a.csv" });
  expect(state().workload).toBeUndefined();
  expect(permalink(state())).toMatchObject({ file: "a.csv" });
});

test("the_replay_goes_on_meanwhile_and_generating_can_be_cancelled", async () => {
  const { actions, engine, state } = await startApp();
  const before = state().trace;
  const release = engine.hold("generate");
  const making = actions.generateTrace({ workload: uniform });
  await settle();
  expect(state().generating).toMatchObject({
    name: "uniform",
    progress: { done: 1, total: 2 },
  });
  await actions.goTo(7);
  expect(state().snapshot?.step.index).toBe(7);
  actions.cancelGenerate();
  release();
  await making;
  expect(state()).toMatchObject({ trace: before, generating: undefined });
  expect(state().notices).toEqual([]);
});

test("a_trace_that_no_browser_can_hold_is_refused_before_it_is_begun", async () => {
  const { actions, engine, state } = await startApp();
  const huge = { id: "uniform", params: { accesses: "100000001" } };
  const rejected: string[] = [];
  await actions.generateTrace({
    workload: huge,
    onRejected: ({ message }) => rejected.push(message) > 0,
  });
  expect(rejected[0]).toContain("100,000,001 are too many for the browser");
  expect(engine.log).not.toContain("generate uniform");
  expect(state().trace?.n_accesses).toBe(N);
});

test("a_link_to_a_workload_that_cannot_be_is_told", async () => {
  const { state } = await startApp({
    workload: { id: "uniform", params: { accesses: "100000001" } },
  });
  expect(state().trace?.n_accesses).toBe(N);
  expect(state().notices[0]?.text).toMatch(
    /^The link’s trace cannot be generated: .* is shown\.$/,
  );
});

test.each([
  [16_777_216, 2 ** 46, 0],
  [16_777_217, 2 ** 46, 1],
  [16_777_217, 2 ** 36, 0],
  [100_000_000, 2 ** 36 + 4096, 1],
])(
  "of_%i_accesses_within_%i_bytes_the_pages_have_%i_problem",
  async (accesses, bytes, n) => {
    const { actions, engine } = await startApp();
    engine.workloadBytes = bytes;
    const params = { accesses: String(accesses) };
    const { errors } = await actions.checkWorkload({ id: "uniform", params });
    expect(errors).toHaveLength(n);
    if (n === 0) return;
    expect(errors[0]?.message).toContain("room for 16,777,216");
    expect(errors[0]?.at).toEqual({ field: "accesses" });
  },
);

/** Measuring this computer: progress, cancelling, failures, and the machine that is simulated. */
import { expect, test } from "vitest";
import { REPORT, SAMPLES } from "../model/measure/report";
import { createApp } from "./app";

/** Begins a measurement, and waits until the worker has begun it. */
async function begun(app = createApp(), stride = 1) {
  await app.actions.open("#screen=measure");
  const before = app.measure.begun.length;
  const ended = app.actions.measureThis({ seconds: 20, stride });
  await expect.poll(() => app.measure.begun.length).toBeGreaterThan(before);
  const [job] = app.measure.begun.slice(-1);
  if (!job) throw new Error("No measurement has begun.");
  const shown = () => app.store.getState().measure;
  return { app, job, ended, shown };
}

test("a_measurement_shows_its_progress_then_its_report", async () => {
  const { job, ended, shown } = await begun();
  expect(job.job).toEqual({ seconds: 20, stride: 1 });
  const progress = { done: 3, total: 20, rounds: 2 };
  job.hooks.onProgress(progress);
  expect(shown()).toEqual({ status: { is: "measuring", progress } });
  job.done(SAMPLES);
  await ended;
  expect(shown()).toEqual({
    status: { is: "done" },
    result: { samples: SAMPLES, report: REPORT },
    everyPage: { samples: SAMPLES, report: REPORT },
  });
});

test("a_cancelled_measurement_ends_and_says_so", async () => {
  const { app, job, ended, shown } = await begun();
  app.actions.cancelMeasure();
  await ended;
  expect(job.hooks.signal.aborted).toBe(true);
  expect(shown()).toEqual({ status: { is: "cancelled" } });
});

test("a_measurement_that_is_cancelled_while_it_loads_does_not_begin", async () => {
  const app = createApp();
  await app.actions.open("#screen=measure");
  app.store.subscribe(({ measure }) => {
    if (measure?.status.is === "measuring") app.actions.cancelMeasure();
  });
  await app.actions.measureThis({ seconds: 20, stride: 1 });
  expect(app.measure.begun).toEqual([]);
  expect(app.state().measure).toEqual({ status: { is: "cancelled" } });
});

test("a_failed_measurement_gives_the_reason_and_keeps_the_last_result", async () => {
  const { app, job, ended } = await begun();
  job.done(SAMPLES);
  await ended;
  const next = await begun(app);
  next.job.fail(new Error("Only 2 rounds in a minute."));
  await next.ended;
  expect(next.shown()?.status).toEqual({
    is: "failed",
    why: "Only 2 rounds in a minute.",
  });
  expect(next.shown()?.result?.report).toEqual(REPORT);
});

test("a_larger_stride_is_compared_with_the_last_measurement_of_every_page", async () => {
  const { app, job, ended } = await begun();
  job.done(SAMPLES);
  await ended;
  const eighth = { ...SAMPLES, stride: 8 };
  const next = await begun(app, 8);
  next.job.done(eighth);
  await next.ended;
  const asked = app.engine.log.filter((call) =>
    call.startsWith("compareChase"),
  );
  expect(asked).toEqual(["compareChase 1", "compareChase 8, with every page"]);
  expect(next.shown()?.everyPage?.samples).toBe(SAMPLES);
  expect(next.shown()?.result?.samples).toBe(eighth);
});

test("a_newer_measurement_replaces_one_that_runs", async () => {
  const { app, job, ended } = await begun();
  const next = app.actions.measureThis({ seconds: 10, stride: 1 });
  await ended;
  expect(job.hooks.signal.aborted).toBe(true);
  expect(app.store.getState().measure?.status.is).toBe("measuring");
  app.actions.cancelMeasure();
  await next;
});

test("simulate_this_machine_takes_the_measured_machine_and_shows_the_replay", async () => {
  const { app, job, ended } = await begun();
  job.done(SAMPLES);
  await ended;
  const before = app.store.getState().configuration;
  if (!before) throw new Error("No machine is configured.");
  const machine = { ...before.setup.machine, name: "Zen 2, as measured" };
  const [fit] = REPORT.fits;
  if (!fit) throw new Error("The report has no models.");
  const fits = [{ ...fit, cpu: "amd-zen2" }];
  await app.actions.simulateMeasured({ ...REPORT, fits, machine });
  const { screen, configuration } = app.store.getState();
  expect([screen, configuration?.cpu]).toEqual(["replay", "amd-zen2"]);
  expect(configuration?.setup.machine.name).toBe("Zen 2, as measured");
  expect(configuration?.setup.os.virt).toBe("ept");
});

/** Creates the app's state with a fake engine, and with a clock that the test controls. */
// Parts that load on use are loaded now, so that no load outlives a test file.
import "../../src/model/measured/examples";
import "../../src/state/import/carry";
import "../../src/state/import/importFile";
import "../../src/state/import/keptList";
import "../../src/state/import/served";
import "../../src/state/measure/actions";
import "../../src/state/measured/actions";
import "../../src/state/replay/findAddress";
import "../../src/state/start/wayOut";
import "../../src/state/whatif/actions";
import "../../src/state/exercise/bound";
import "../../src/state/learn/actions";
import "../../src/state/learn/bound";
import "../../src/state/code/actions";
import "../../src/state/code/draft";
import { createActions } from "../../src/state/actions";
import type { Actions } from "../../src/state/actions";
import type { Permalink } from "../../src/model/permalink/permalink";
import type { Shipped } from "../../src/model/experiments/shipped";
import { createAppStore } from "../../src/state/store";
import { experimentResult } from "./fakeData";
import type { AppState } from "../../src/state/store";
import { FakeEngine } from "./fakeEngine";
import { fakeKept } from "./fakeKept";
import type { FakeKept } from "./fakeKept";
import type { StatKeeper } from "../../src/state/measured/keptStat";
import { fakeLessons } from "./fakeLessons";
import { fakeCode } from "./fakeCode";
import { fakeMachines } from "./fakeMachines";
import { fakeMeasure } from "./fakeMeasure";
import { fakeRemote } from "./fakeRemote";
import { fakeKeptStat } from "./fakeKeptStat";
import { fakeSavedRuns } from "./fakeSavedRuns";
import type { FakeSavedRuns } from "./fakeSavedRuns";

/** Accesses of the shipped trace, as the fake engine reads it: one per byte. */
export const N = 300;

/** Creates an app. A second app with the same storage finds the stored data of the first. */
export function createApp(
  kept: FakeKept = fakeKept(),
  keptStat: StatKeeper = fakeKeptStat(),
  savedRuns: FakeSavedRuns = fakeSavedRuns(),
  shippedExperiments: () => Promise<Shipped> = shipped,
  initial: Partial<AppState> = {},
) {
  const settings: string[] = [];
  const machines = fakeMachines();
  const lessons = fakeLessons();
  const codeService = fakeCode();
  const remote = fakeRemote();
  const measure = fakeMeasure();
  const engine = new FakeEngine();
  const sideEngines: FakeEngine[] = [];
  const store = createAppStore(initial);
  let now = 0;
  let frames: (() => void)[] = [];
  const actions: Actions = createActions(store, {
    engine,
    sideEngine: () => {
      const side = new FakeEngine();
      sideEngines.push(side);
      return side;
    },
    fetchTrace: () => Promise.resolve(new Blob(["x".repeat(N)])),
    shippedExperiments,
    kept,
    keptStat,
    savedRuns,
    machines,
    codeService,
    learn: () => Promise.resolve(lessons),
    remote: () => Promise.resolve(remote),
    measure: () => Promise.resolve(measure),
    settings: {
      keepWelcome: () => settings.push("welcome"),
      keepPlain: (plain) => settings.push(plain ? "plain" : "expert"),
    },
    clock: {
      now: () => now,
      date: () => 1e12 + now,
      frame: (callback) => {
        frames.push(callback);
        return () => (frames = frames.filter((frame) => frame !== callback));
      },
    },
  });
  return {
    engine,
    /** The engines besides that of the replay, in the order of their start. */
    sideEngines,
    kept,
    savedRuns,
    machines,
    lessons,
    exercises: lessons.exercises,
    codeService,
    remote,
    measure,
    served: remote.served,
    /** What the browser was told to remember, in order. */
    settings,
    store,
    actions,
    state: () => store.getState(),
    /** Advances the clock by `ms` and draws one frame. */
    tick: async (ms: number) => {
      now += ms;
      const due = frames;
      frames = [];
      for (const frame of due) frame();
      await settle();
    },
  };
}

function shipped(): Promise<Shipped> {
  const [first, second] = ["first", "second"].map(experimentResult);
  if (!first || !second) throw new Error("There are two experiments.");
  return Promise.resolve({ first, second });
}

export async function startApp(link: Permalink = {}) {
  const app = createApp();
  await app.actions.start(link);
  return app;
}

/** Waits until all promises that can settle have settled. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

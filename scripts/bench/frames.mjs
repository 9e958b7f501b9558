// Plays a replay in the built site, and measures the time of each frame.

/** The speed in accesses a second. */
const SPEED = 100_000;
/** The time that is measured of each run, in milliseconds. The trace is longer. */
const RUN_MS = 2500;
const RUNS = 4;
/** The pause before the first run. */
const REST_MS = 1000;

/**
 * Plays an example trace from its beginning, with the picture of the second level shown.
 * @param page at the app, opened with `?test` and the trace
 * @returns {Promise<{framesMs: number[], pictures: number, seconds: number}>} the times between frames; pictures =
 * the accesses that were drawn
 */
export async function measureFrames(page) {
  await page.evaluate(showSecondLevel);
  // The page loads its other parts first.
  await page.waitForFunction(() =>
    globalThis.__pagewalk.store
      .getState()
      .cpus.some(({ provenance }) => provenance.length > 0),
  );
  await page.waitForTimeout(REST_MS);
  const all = { framesMs: [], pictures: 0, seconds: 0 };
  for (let run = 0; run < RUNS; run += 1) {
    const { framesMs, pictures } = await page.evaluate(play, [SPEED, RUN_MS]);
    all.framesMs.push(...framesMs);
    all.pictures += pictures;
    all.seconds += RUN_MS / 1000;
  }
  return all;
}

/** Runs in the page. */
function showSecondLevel() {
  const { store, actions } = globalThis.__pagewalk;
  const { structures } = store.getState().machine;
  const isShown = ({ role, pages }) => role === "l2" && pages.includes("4K");
  actions.pin(structures.findIndex(isShown));
}

/** Runs in the page. */
async function play([speed, ms]) {
  const { requestAnimationFrame } = globalThis;
  const { store, actions } = globalThis.__pagewalk;
  await actions.goTo(0);
  actions.setSpeed(speed);
  let pictures = 0;
  const stop = store.subscribe((state, before) => {
    if (state.snapshot !== before.snapshot) pictures += 1;
  });
  actions.play();
  const framesMs = [];
  const first = await new Promise(requestAnimationFrame);
  for (let last = first; last - first < ms;) {
    const now = await new Promise(requestAnimationFrame);
    framesMs.push(now - last);
    last = now;
  }
  stop();
  actions.pause();
  return { framesMs, pictures };
}

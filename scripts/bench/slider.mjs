// Moves sliders of the built site's what-if screen. Measures the time from a key to the paint of the new numbers.
import { Stop } from "../lib/run.mjs";

/** The number of steps of each slider, with one key each. */
const KEYS = 3;
/** The pause between two moves in milliseconds, in which the page draws the rest of the previous move. */
const REST_MS = 250;

/**
 * Imports trace (c), opens the screen and moves its sliders, each time to a machine that has not been run.
 * @param page at the app, opened with `?test` @param {string} recorded where trace (c) is served @returns
 * {Promise<{cpu: string, accesses: number, movesMs: number[]}>}
 */
export async function measureSlider(page, recorded) {
  const facts = await page.evaluate(openWhatIf, recorded);
  // Waits until all questions of the screen have an end, so that none runs during the measurement.
  const ends = await page.waitForFunction(
    () => {
      const { answers, runs } = globalThis.__pagewalk.store.getState().whatIf;
      const all = [...Object.values(answers), ...Object.values(runs)];
      const ended = all.map(({ status }) => status);
      const isOver = (status) => status === "done" || status === "failed";
      return all.length > 10 && ended.every(isOver) && ended;
    },
    undefined,
    { timeout: 600_000 },
  );
  if ((await ends.jsonValue()).includes("failed"))
    throw new Stop("a question of the what-if screen has no answer");
  await page.evaluate(watchMoves);
  const sliders = page.locator(".wi-controls input[type=range]");
  const movesMs = [];
  for (let at = 0; at < (await sliders.count()); at += 1) {
    const slider = sliders.nth(at);
    // Sliders of a folded section are left out.
    if (!(await slider.isVisible())) continue;
    await slider.focus();
    const back = [];
    for (let n = 0; n < KEYS; n += 1) {
      const place = await slider.inputValue();
      const isLast = place === (await slider.getAttribute("max"));
      if (isLast) break;
      await page.waitForTimeout(REST_MS);
      await page.keyboard.press("ArrowRight");
      movesMs.push(await page.evaluate(() => globalThis.__benchMove()));
      back.push("ArrowLeft");
    }
    for (const key of back) await page.keyboard.press(key);
  }
  return { ...facts, movesMs };
}

/** Runs in the page: opens the what-if screen with the recorded trace. */
async function openWhatIf(recorded) {
  const { store, actions } = globalThis.__pagewalk;
  const file = await (await fetch(recorded)).blob();
  await new Promise((resolve, reject) => {
    const onRefused = (why) => {
      reject(why);
      return true;
    };
    const name = "recorded.lackey";
    void actions.importFile({ file, name, onRead: resolve, onRefused });
  });
  await new Promise((resolve) => {
    const wait = () => {
      if (store.getState().stale) setTimeout(wait, 100);
      else resolve();
    };
    wait();
  });
  globalThis.location.hash = "#screen=what-if";
  const { configuration, trace } = store.getState();
  return { cpu: configuration.cpu, accesses: trace.n_accesses };
}

/**
 * Runs in the page: `__benchMove()` resolves with the milliseconds from the last key to the paint of its numbers.
 */
function watchMoves() {
  const { document, MessageChannel, MutationObserver, requestAnimationFrame } =
    globalThis;
  const effect = document.querySelector(".wi-effect");
  let key;
  let resolveMove;
  const isShown = () =>
    key !== undefined &&
    key.slider.value !== key.before &&
    !effect.hasAttribute("data-running") &&
    effect.textContent.includes("Effect of") &&
    !effect.textContent.includes("…");
  const look = () => {
    if (!isShown()) return;
    const { timeStamp } = key;
    key = undefined;
    requestAnimationFrame(() => {
      // A task that starts in a frame runs after the paint of the frame.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolveMove(performance.now() - timeStamp);
      port2.postMessage(undefined);
    });
  };
  let move = Promise.resolve(0);
  globalThis.addEventListener(
    "keydown",
    ({ timeStamp, target, key: name }) => {
      if (name !== "ArrowRight") return;
      key = { timeStamp, slider: target, before: target.value };
      move = new Promise((resolve) => (resolveMove = resolve));
    },
    { capture: true },
  );
  const options = {
    attributes: true,
    characterData: true,
    childList: true,
    subtree: true,
  };
  new MutationObserver(look).observe(effect, options);
  globalThis.__benchMove = () => move;
}

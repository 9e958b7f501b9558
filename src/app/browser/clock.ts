import type { Clock } from "../../state/context";

/** The clock of the browser: its times, and the frames of the screen. */
export const browserClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  frame: (callback) => {
    const id = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(id);
  },
};

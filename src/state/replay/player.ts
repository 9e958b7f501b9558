/**
 * Playing: each frame shows the access that the time has reached, unless the previous seek is still in
 * progress. At high speeds, accesses between frames are not drawn.
 */
import type { Context } from "../context";
import { set } from "../context";
import { goTo } from "./cursor";
import { runSpanOf } from "./runWindow";
import { SPEEDS } from "../store";

export interface Player {
  readonly play: () => void;
  readonly pause: () => void;
  readonly toggle: () => void;
  readonly setSpeed: (perSecond: number) => void;
}

export function createPlayer(context: Context): Player {
  const { clock, store } = context;
  /** The start of the time count; it moves when the user moves the cursor or changes the speed. */
  let anchor = { index: 0, time: 0 };
  let shown = 0;
  let cancel: (() => void) | undefined;

  const here = () => {
    const { cursor } = store.getState();
    anchor = { index: cursor, time: clock.now() };
    shown = cursor;
  };

  const frame = () => {
    const { playing, cursor, speed, trace } = store.getState();
    const { simulated } = runSpanOf(store.getState());
    cancel = undefined;
    if (!playing || !trace) return;
    if (cursor !== shown) here();
    const seconds = (clock.now() - anchor.time) / 1000;
    const last = simulated.to - 1;
    const due = Math.min(last, Math.floor(anchor.index + seconds * speed));
    if (due > cursor && !context.seeking) {
      shown = due;
      void goTo(context, due);
    }
    if (cursor >= last) set(context, { playing: false });
    else cancel = clock.frame(frame);
  };

  const pause = () => {
    cancel?.();
    cancel = undefined;
    set(context, { playing: false });
  };

  const play = () => {
    const { trace, cursor, stale } = store.getState();
    if (!trace || stale) return;
    set(context, { playing: true });
    // At the end of the trace, playing starts over.
    const { simulated } = runSpanOf(store.getState());
    if (cursor >= simulated.to - 1) void goTo(context, simulated.from);
    here();
    cancel ??= clock.frame(frame);
  };

  return {
    play,
    pause,
    toggle: () => (store.getState().playing ? pause() : play()),
    setSpeed: (perSecond) => {
      const speed = Math.max(SPEEDS.least, Math.min(SPEEDS.most, perSecond));
      set(context, { speed });
      here();
    },
  };
}

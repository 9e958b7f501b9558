import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useApp } from "../context";

/** Returns whether a media query matches now, and follows its changes. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => matchMedia(query), [query]);
  const subscribe = useCallback(
    (changed: () => void) => {
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => list.matches);
}

/** Returns whether the screen is as narrow as a phone, which has its own layout. */
export function useIsPhone(): boolean {
  return useMedia("(width < 640px)");
}

/** Returns whether the strip of the trace has its short form. */
export function useIsTight(): boolean {
  return useMedia("(width < 700px)");
}

/** A length of the screen in pixels: a projector, with larger text, needs a quarter more. */
function useNeeded(length: number): number {
  return useApp(({ projector }) => projector) ? 1.25 * length : length;
}

/** Returns whether all words do not fit next to the address. */
export function useIsMedium(): boolean {
  return useMedia(`(width < ${useNeeded(1400)}px)`);
}

/** Returns whether the screen is wide but low. Optional parts then leave space for the timeline. */
export function useIsLow(): boolean {
  return useMedia(`(width >= 1024px) and (height < ${useNeeded(860)}px)`);
}

/** Returns whether one more band above the pictures would push the timeline off the screen. */
export function useIsFull(): boolean {
  return useMedia(`(width >= 1024px) and (height < ${useNeeded(964)}px)`);
}

/** Returns whether the timeline needs the place of the words, too: on a low projector. */
export function useIsLowest(): boolean {
  const isBelow = useMedia("(width >= 1024px) and (height < 825px)");
  return useApp(({ projector }) => projector) && isBelow;
}

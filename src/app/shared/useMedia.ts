import { useSyncExternalStore } from "react";

/** Returns whether a media query matches now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}

/** Below this width, the phone layout is used. */
export function useIsPhone(): boolean {
  return useMedia("(width < 640px)");
}

/** No space for the pickers in the header. */
export function useIsTight(): boolean {
  return useMedia("(width < 700px)");
}

/** No space for the words next to the address. */
export function useIsMedium(): boolean {
  return useMedia("(width < 1280px)");
}

/** No space for a row of screens next to the pickers. */
export function useIsNarrow(): boolean {
  return useMedia("(width < 1180px)");
}

/** A wide but low screen: parts that show on demand leave space for the timeline. */
export function useIsLow(): boolean {
  return useMedia("(width >= 1024px) and (height < 860px)");
}

import { useSyncExternalStore } from "react";

/** Whether a media query holds now. */
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

/** Below this width the phone's layout is used. */
export function useIsPhone(): boolean {
  return useMedia("(width < 640px)");
}

/** No room for the pickers in the header. */
export function useIsTight(): boolean {
  return useMedia("(width < 700px)");
}

/** No room for a row of screens beside the pickers. */
export function useIsNarrow(): boolean {
  return useMedia("(width < 1180px)");
}

/** A wide screen that is not high: parts that are told on demand make room for the timeline. */
export function useIsLow(): boolean {
  return useMedia("(width >= 1024px) and (height < 860px)");
}

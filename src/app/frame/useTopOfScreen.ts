/** Another screen begins at its top, not where the screen before was scrolled to. */
import { useLayoutEffect, useRef } from "react";
import type { Screen } from "../../model/permalink/permalink";

/** The first screen keeps its place: a browser restores it after a reload. */
export function useTopOfScreen(screen: Screen): void {
  const before = useRef(screen);
  useLayoutEffect(() => {
    if (before.current === screen) return;
    before.current = screen;
    window.scrollTo(0, 0);
  }, [screen]);
}

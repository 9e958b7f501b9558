/** The current size of an element. */
import { useLayoutEffect, useState } from "react";
import type { RefObject } from "react";
import type { CssPixels, TextScale } from "../../model/shared/units";
import { watchMedia } from "./media";

export interface Size {
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** The content box of the element, in whole CSS pixels; `initial` until it is measured. */
export function useSize(
  ref: RefObject<HTMLElement | null>,
  initial: Size,
): Size {
  const [size, setSize] = useState(initial);
  useLayoutEffect(() => {
    const element = ref.current;
    // jsdom has no ResizeObserver: the initial size stays.
    if (!element || !("ResizeObserver" in window)) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const width = Math.floor(entry.contentRect.width);
      const height = Math.floor(entry.contentRect.height);
      setSize((old) =>
        old.width === width && old.height === height ? old : { width, height },
      );
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}

/** Device pixels per CSS pixel; changes when the window moves to another screen or is zoomed. */
export function usePixelRatio(): number {
  const [ratio, setRatio] = useState(() =>
    typeof window === "undefined" ? 1 : window.devicePixelRatio || 1,
  );
  useLayoutEffect(
    () =>
      watchMedia(`(resolution: ${ratio}dppx)`, () =>
        setRatio(window.devicePixelRatio || 1),
      ),
    [ratio],
  );
  return ratio;
}

/** The user's text size in pixels, for pictures with text. Read again when the window is resized. */
export function useTextScale(): TextScale {
  const [scale, setScale] = useState<TextScale>(1);
  useLayoutEffect(() => {
    const read = () => {
      const size = parseFloat(
        getComputedStyle(document.documentElement).fontSize,
      );
      setScale(Number.isFinite(size) ? size / 16 : 1);
    };
    read();
    window.addEventListener("resize", read);
    return () => window.removeEventListener("resize", read);
  }, []);
  return scale;
}

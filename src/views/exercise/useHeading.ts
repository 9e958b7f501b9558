import { useEffect, useRef } from "react";
import type { RefObject } from "react";

/** Focuses the heading of a page that replaces the one with the focus. The heading needs `tabIndex={-1}`. */
export function useHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return heading;
}

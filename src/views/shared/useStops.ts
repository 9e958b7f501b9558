/** Places along a chart that are read one at a time, under the pointer or under the arrow keys; what is there is told in a tooltip. */
import { useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { useTip } from "./useTip";
import type { TipAnchor } from "./useTip";

export interface StopsOptions {
  readonly n: number;
  /** Where a stop is on the page, and what is told there; `undefined` before anything is drawn. */
  readonly tell: (
    at: number,
  ) => { readonly place: TipAnchor; readonly content: ReactNode } | undefined;
  /** Stops that PageUp and PageDown go on by; missing = these keys do nothing. */
  readonly page?: number;
  /** The stop that is read is taken. */
  readonly onEnter?: (at: number, isShift: boolean) => void;
}

export function useStops({ n, tell, page, onEnter }: StopsOptions) {
  const [read, setRead] = useState<number>();
  const { show, hide, dismiss, tip } = useTip();
  const at = read === undefined || read >= n ? undefined : read;

  const readStop = (next: number) => {
    if (next === at) return;
    const told = tell(next);
    if (!told) return;
    setRead(next);
    show(told.place, told.content);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const here = at ?? -1;
    const next = {
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      ArrowLeft: here - 1,
      ArrowDown: here - 1,
      PageUp: page && here + page,
      PageDown: page && here - page,
      Home: 0,
      End: n - 1,
    }[event.key];
    if (event.key === "Enter" && at !== undefined)
      onEnter?.(at, event.shiftKey);
    if (event.key === "Escape" && at !== undefined) {
      event.stopPropagation();
      setRead(undefined);
      dismiss();
    }
    if (next === undefined) return;
    event.preventDefault();
    readStop(Math.max(0, Math.min(n - 1, next)));
  };
  const leave = () => {
    setRead(undefined);
    hide();
  };
  return {
    /** The stop that is read. */
    at,
    readStop,
    leave,
    /** The tooltip goes at once; the stop stays. */
    dismiss,
    tip,
    onKeyDown,
    /** Of the slider, which says itself what it is of and where it is. */
    values: {
      "aria-orientation": "horizontal",
      "aria-valuemin": 0,
      "aria-valuemax": Math.max(0, n - 1),
      onBlur: leave,
    },
  } as const;
}

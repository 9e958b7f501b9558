/**
 * Positions along a chart, read one at a time with the pointer or the arrow keys; a tooltip shows the values. It is
 * our own: a slider of react-aria-components has a thumb and always a value, a chart is read only while it is used.
 */
import { useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { useTip } from "./useTip";
import type { TipAnchor } from "./useTip";

export interface StopsOptions {
  readonly n: number;
  /** The position of a stop on the page, and its tooltip; `undefined` before anything is drawn. */
  readonly stopAt: (
    at: number,
  ) => { readonly place: TipAnchor; readonly content: ReactNode } | undefined;
  /** How many stops PageUp and PageDown move; missing = these keys do nothing. */
  readonly page?: number;
  /** The user chose the current stop. */
  readonly onEnter?: (at: number, isShift: boolean) => void;
}

export function useStops({ n, stopAt, page, onEnter }: StopsOptions) {
  const [read, setRead] = useState<number>();
  const { show, hide, dismiss, tip } = useTip();
  const at = read === undefined || read >= n ? undefined : read;

  const readStop = (next: number) => {
    if (next === at) return;
    const stop = stopAt(next);
    if (!stop) return;
    setRead(next);
    show(stop.place, stop.content);
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
    /** The current stop. */
    at,
    readStop,
    leave,
    /** The tooltip closes at once; the stop stays. */
    dismiss,
    tip,
    onKeyDown,
    /** Attributes of the slider; the caller adds its label and its value text. */
    values: {
      "aria-orientation": "horizontal",
      "aria-valuemin": 0,
      "aria-valuemax": Math.max(0, n - 1),
      onBlur: leave,
    },
  } as const;
}

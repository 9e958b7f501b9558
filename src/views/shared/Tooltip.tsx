import { cloneElement } from "react";
import type { ReactElement, ReactNode } from "react";
import { useTip } from "./useTip";

export interface TooltipProps {
  readonly content: ReactNode;
  /** Whether a tap or a click also opens the tip: for elements without an action. */
  readonly tap?: boolean;
  /** One HTML element: a control, or text made focusable with `tabIndex={0}`. */
  readonly children: ReactElement<{
    readonly "aria-describedby"?: string | undefined;
  }>;
}

/** Explains one HTML element on hover and on focus. Marks of an SVG or a canvas use `useTip`. */
export function Tooltip({ content, tap = false, children }: TooltipProps) {
  const { show, hide, dismiss, id, open, tip } = useTip();
  return (
    <>
      <span
        className="tip-anchor"
        // The wrapper only handles events that bubble up from the control inside.
        role="presentation"
        onPointerEnter={(event) => {
          // Touch has no hover.
          if (event.pointerType !== "touch")
            show(target(event.currentTarget), content);
        }}
        onPointerLeave={hide}
        onPointerDown={dismiss}
        onClick={(event) => {
          if (tap) show(target(event.currentTarget), content);
        }}
        onFocus={(event) => {
          if (event.target.matches(":focus-visible"))
            show(target(event.currentTarget), content);
        }}
        onBlur={hide}
      >
        {cloneElement(children, { "aria-describedby": open ? id : undefined })}
      </span>
      {tip}
    </>
  );
}

/** The wrapper has no box of its own (`display: contents`), so the tip is placed at its first child. */
function target(wrapper: Element): Element {
  return wrapper.firstElementChild ?? wrapper;
}

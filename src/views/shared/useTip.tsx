/**
 * One tooltip for many marks of a picture. A mark calls `show` on pointer-enter and on focus and `hide` on leave and
 * blur; the view renders `tip` anywhere. As WCAG 1.4.13 asks, the pointer may move onto the tooltip, it stays until
 * then, and Escape dismisses it without moving anything.
 *
 * It is our own: a tooltip of react-aria-components needs an element as its anchor, ours also explains cells of a
 * canvas. Its positioning code would also load on the first route, where only dialogs and lists wait for it now.
 */
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import type { Milliseconds } from "../../model/shared/units";
import { placeTip } from "./tipPlace";
import type { Box, TipSide } from "./tipPlace";
import "./tip.css";

/** The hover time before the tooltip opens. */
export const TIP_DELAY: Milliseconds = 80;
/** The time to move the pointer from the mark to the tooltip. */
const GRACE: Milliseconds = 140;

/** The anchor of the tooltip: an element, or a rectangle in the window (a cell of a canvas). */
export type TipAnchor = Element | Box;

export interface Tip {
  /** Opens after `TIP_DELAY`, at once if a tooltip is open already; `null` content closes it. */
  readonly show: (
    anchor: TipAnchor,
    content: ReactNode,
    side?: TipSide,
  ) => void;
  /** Closes after a moment, unless the pointer reaches the tooltip. */
  readonly hide: () => void;
  /** Closes at once: on a click, a drag, a step of the replay. */
  readonly dismiss: () => void;
  /** The id for `aria-describedby` while `open`. */
  readonly id: string;
  readonly open: boolean;
  readonly tip: ReactNode;
}

interface Shown {
  readonly anchor: TipAnchor;
  readonly content: ReactNode;
  readonly side: TipSide | undefined;
}

export function useTip(): Tip {
  const id = useId();
  const [shown, setShown] = useState<Shown | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOpen = useRef(false);

  const later = useCallback((wait: Milliseconds, next: Shown | null) => {
    clearTimeout(timer.current);
    const apply = () => {
      isOpen.current = next !== null;
      setShown(next);
    };
    if (wait > 0) timer.current = setTimeout(apply, wait);
    else apply();
  }, []);

  const show = useCallback(
    (anchor: TipAnchor, content: ReactNode, side?: TipSide) =>
      later(
        isOpen.current ? 0 : TIP_DELAY,
        content === null ? null : { anchor, content, side },
      ),
    [later],
  );
  const hide = useCallback(() => later(GRACE, null), [later]);
  const dismiss = useCallback(() => later(0, null), [later]);
  const keep = useCallback(() => clearTimeout(timer.current), []);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    show,
    hide,
    dismiss,
    id,
    open: shown !== null,
    tip: shown ? (
      <TipBox
        id={id}
        {...shown}
        onEnter={keep}
        onLeave={hide}
        onDismiss={dismiss}
      />
    ) : null,
  };
}

interface TipBoxProps extends Shown {
  readonly id: string;
  readonly onEnter: () => void;
  readonly onLeave: () => void;
  readonly onDismiss: () => void;
}

function TipBox({
  id,
  anchor,
  content,
  side,
  onEnter,
  onLeave,
  onDismiss,
}: TipBoxProps) {
  const box = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!box.current) return;
    const target =
      anchor instanceof Element ? anchor.getBoundingClientRect() : anchor;
    const { width, height } = box.current.getBoundingClientRect();
    const viewport = {
      width: document.documentElement.clientWidth,
      height: window.innerHeight,
    };
    const { left, top } = placeTip(target, { width, height }, viewport, side);
    box.current.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }, [anchor, content, side]);

  useEffect(() => {
    // Captures Escape, so that it closes only the tooltip and not the dialog below.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      onDismiss();
    };
    document.addEventListener("keydown", onKey, true);
    // Touch has no leave event, so a press elsewhere closes the tooltip.
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target))
        onDismiss();
    };
    document.addEventListener("pointerdown", onPress, true);
    // Scrolling moves the anchor away.
    document.addEventListener("scroll", onDismiss, true);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      document.removeEventListener("pointerdown", onPress, true);
      document.removeEventListener("scroll", onDismiss, true);
    };
  }, [onDismiss]);

  return createPortal(
    <div
      ref={box}
      id={id}
      role="tooltip"
      className="tip"
      lang="en"
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
    >
      {content}
    </div>,
    document.body,
  );
}

/**
 * A button that opens a dialog or a list beside it. What it opens, and the library that keeps the focus in there and
 * puts it in its place, is loaded when the page has nothing else to do, or when it is first opened.
 */
import { Suspense, lazy, useRef, useState } from "react";
import type { ComponentProps, ReactNode, RefObject } from "react";

export const FloatingDialog = lazy(() =>
  import("./FloatingDialog").then((module) => ({
    default: module.FloatingDialog,
  })),
);
export const FloatingList = lazy(() =>
  import("./FloatingList").then((module) => ({
    default: module.FloatingList,
  })),
);

/** What a floating part has to know of its button. */
export interface Floating {
  readonly triggerRef: RefObject<HTMLButtonElement | null>;
  readonly onOpenChange: (isOpen: boolean) => void;
}

export interface OpenerProps extends Pick<
  ComponentProps<"button">,
  "className" | "aria-label" | "aria-labelledby"
> {
  readonly "data-picker"?: string;
  readonly opens: "dialog" | "listbox";
  /** What stands on the button. */
  readonly face: ReactNode;
  readonly onOpen?: () => void;
  /** A `FloatingDialog` or `FloatingList`. */
  readonly children: (floating: Floating) => ReactNode;
}

export function Opener(props: OpenerProps) {
  const { opens, face, onOpen, children, ...button } = props;
  const triggerRef = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    // Not every browser gives a button the focus when it is clicked; it comes back to where it was.
    triggerRef.current?.focus();
    onOpen?.();
    setOpen(true);
  };
  return (
    <>
      <button
        {...button}
        ref={triggerRef}
        type="button"
        aria-haspopup={opens}
        aria-expanded={isOpen}
        onClick={open}
        onKeyDown={(event) => {
          if (opens !== "listbox" || !/^Arrow(Down|Up)$/.test(event.key))
            return;
          event.preventDefault();
          open();
        }}
      >
        {face}
      </button>
      {isOpen ? (
        <Suspense>{children({ triggerRef, onOpenChange: setOpen })}</Suspense>
      ) : null}
    </>
  );
}

/** Loads what floats, so that the first opening does not wait; if that fails, the first opening tries again. */
export async function loadFloating(): Promise<void> {
  await Promise.allSettled([
    import("./FloatingDialog"),
    import("./FloatingList"),
  ]);
}

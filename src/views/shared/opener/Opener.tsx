/**
 * A button that opens a dialog or a list next to it. The content and its positioning library load when the
 * page is idle, or at the first opening.
 */
import { Suspense, lazy, useRef, useState } from "react";
import type { ComponentProps, ReactNode } from "react";
import type { Floating } from "./floating";

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

export interface OpenerProps extends Pick<
  ComponentProps<"button">,
  | "className"
  | "disabled"
  | "title"
  | "aria-current"
  | "aria-label"
  | "aria-labelledby"
> {
  readonly "data-picker"?: string;
  readonly opens: "dialog" | "listbox";
  /** The content of the button. */
  readonly face: ReactNode;
  readonly onOpen?: () => void;
  /** Returns a `FloatingDialog` or `FloatingList`. */
  readonly children: (floating: Floating) => ReactNode;
}

export function Opener(props: OpenerProps) {
  const { opens, face, onOpen, children, ...button } = props;
  const triggerRef = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    // Some browsers do not focus a clicked button, so the focus is restored here.
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

/**
 * Loads the floating part early, so that the first opening is fast; if that fails, the first opening retries.
 */
export async function loadFloating(): Promise<void> {
  await Promise.allSettled([
    import("./FloatingDialog"),
    import("./FloatingList"),
  ]);
}

/**
 * A dialog next to the button that opened it. Escape and a click outside close it and return the focus to the
 * button.
 */
import type { ReactNode } from "react";
import { Dialog, Popover } from "react-aria-components";
import type { PopoverProps } from "react-aria-components";
import type { Floating } from "./floating";
import "./opener.css";

export interface FloatingDialogProps extends Floating {
  /** The name of the dialog, for screen readers. */
  readonly label: string;
  readonly className: string;
  /** The language of the content; missing = English. */
  readonly lang?: string;
  readonly popoverClass?: string;
  readonly placement?: PopoverProps["placement"];
  readonly children: (parts: { readonly close: () => void }) => ReactNode;
}

export function FloatingDialog({
  triggerRef,
  onOpenChange,
  label,
  className,
  lang = "en",
  popoverClass = "",
  placement = "bottom end",
  children,
}: FloatingDialogProps) {
  return (
    <Popover
      className={`popover ${popoverClass}`.trim()}
      placement={placement}
      triggerRef={triggerRef}
      isOpen
      onOpenChange={onOpenChange}
    >
      <Dialog aria-label={label} className={className} lang={lang}>
        {children({ close: () => onOpenChange(false) })}
      </Dialog>
    </Popover>
  );
}

/**
 * A drawer next to the pictures, above them on a phone. Focus moves into it when it opens and returns when it closes;
 * Escape in it closes it. The dialogs of react-aria-components would keep the focus, and the pictures must stay in
 * reach.
 */
import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import "./drawer.css";

export interface DrawerProps {
  readonly label: string;
  readonly className: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Drawer({ label, className, onClose, children }: DrawerProps) {
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    drawer.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isInside =
        event.target instanceof Node && drawer.current?.contains(event.target);
      if (event.key === "Escape" && isInside) onClose();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onClose]);
  return (
    <aside
      ref={drawer}
      className={`drawer ${className}`}
      aria-label={label}
      tabIndex={-1}
    >
      {children}
    </aside>
  );
}

import type { ReactNode, Ref } from "react";
import "../shared/controls.css";

export interface ScrollProps {
  /** What the content shows, for screen readers. */
  readonly label: string;
  readonly className?: string;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

/** A box whose content may be wider or higher; the keyboard scrolls it too. */
export function Scroll(props: ScrollProps) {
  const { label, className = "", ref, children } = props;
  return (
    <div
      ref={ref}
      className={`draft-scroll edge-hint ${className}`}
      role="region"
      aria-label={label}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {children}
    </div>
  );
}

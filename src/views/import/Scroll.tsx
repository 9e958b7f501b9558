import type { ReactNode } from "react";

export interface ScrollProps {
  /** What it shows, for screen readers. */
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** What may be wider or higher than its place; the keyboard scrolls it too. */
export function Scroll({ label, className = "", children }: ScrollProps) {
  return (
    <div
      className={`draft-scroll ${className}`}
      role="region"
      aria-label={label}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {children}
    </div>
  );
}

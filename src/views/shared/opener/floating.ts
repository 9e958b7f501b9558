import type { RefObject } from "react";

/** What a floating dialog or list needs from its button. */
export interface Floating {
  readonly triggerRef: RefObject<HTMLElement | null>;
  readonly onOpenChange: (isOpen: boolean) => void;
}

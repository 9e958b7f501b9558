/**
 * Steps through the walk of one access. Forward from the whole walk starts it; forward from the last step
 * shows the whole walk again. A click picks an item without a step.
 */
import { useState } from "react";

interface Held {
  readonly key: string;
  readonly picked: number | null;
  readonly at: number | null;
}

export interface Stepping {
  /** The number of the item that the user picked. */
  readonly picked: number | null;
  /** The current step of the walk, from 0; `null` shows the whole walk. */
  readonly at: number | null;
  /** Whether the user picked an item or is at a step. */
  readonly pinned: boolean;
  readonly pick: (n: number) => void;
  /** Both take the step of the selected item, where the walk goes on. */
  readonly forward: (here: number) => void;
  readonly back: (here: number) => void;
  readonly first: () => void;
  /** Shows the whole walk again. */
  readonly whole: () => void;
}

/** `key` identifies the access: a new one starts with its whole walk of `n` steps. */
export function useStepping(key: string, n: number): Stepping {
  const [held, setHeld] = useState<Held>({ key, picked: null, at: null });
  const { picked, at } = held.key === key ? held : { picked: null, at: null };
  const whole = () => setHeld({ key, picked: null, at: null });
  const goTo = (to: number) =>
    to >= n ? whole() : setHeld({ key, picked: null, at: Math.max(to, 0) });
  const pinned = at !== null || picked !== null;
  return {
    picked,
    at,
    pinned,
    pick: (picked) => setHeld({ key, picked, at: null }),
    forward: (here) => goTo(pinned ? (at ?? here) + 1 : 0),
    back: (here) => goTo((at ?? here) - 1),
    first: () => goTo(0),
    whole,
  };
}

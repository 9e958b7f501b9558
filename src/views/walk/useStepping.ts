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

/** A step that the owner of the panel keeps, from 0. −1 is before the first step; then nothing is reached. */
export interface OwnedStep {
  readonly at: number;
  /** `null` asks for the whole walk. */
  readonly onAt: (at: number | null) => void;
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

/** `key` identifies the access: a new one starts with its whole walk of `n` steps. An owner's step wins. */
export function useStepping(
  key: string,
  n: number,
  owned?: OwnedStep,
): Stepping {
  const [held, setHeld] = useState<Held>({ key, picked: null, at: null });
  const own = held.key === key ? held : { picked: null, at: null };
  const picked = owned ? null : own.picked;
  const at = owned ? owned.at : own.at;
  const stand = (at: number | null) =>
    owned ? owned.onAt(at) : setHeld({ key, picked: null, at });
  const goTo = (to: number) => stand(to >= n ? null : Math.max(to, 0));
  const pinned = at !== null || picked !== null;
  return {
    picked,
    at,
    pinned,
    pick: (picked) => {
      if (!owned) setHeld({ key, picked, at: null });
    },
    forward: (here) => goTo(pinned ? (at ?? here) + 1 : 0),
    back: (here) => goTo((at ?? here) - 1),
    first: () => goTo(0),
    whole: () => stand(null),
  };
}

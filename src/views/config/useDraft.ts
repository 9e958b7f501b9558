/**
 * A configuration while it is edited. What passes the checks is applied at once; what does not stays in
 * the draft with its problems, until it does or the configuration is changed from outside.
 */
import { useRef, useState } from "react";
import type { Place } from "../../engine/generated/Place";
import { same } from "../../model/permalinkPatch";
import type { Json } from "../../model/permalinkPatch";
import type { Problem } from "./checks";

/** Why a configuration was refused. */
export interface Refusal {
  readonly message: string;
  readonly at?: Place | undefined;
}

/** Resolves with the reason if the configuration was refused. */
export type Apply<T> = (configuration: T) => Promise<Refusal | undefined>;

export interface Draft<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
  readonly change: (value: T) => void;
}

interface Held<T> {
  /** What the app had when this was typed. */
  readonly applied: T;
  readonly value: T;
  readonly problems: readonly Problem[];
}

export function useDraft<T extends Json>(
  applied: T,
  apply: Apply<T>,
  check: (value: T) => readonly Problem[] = () => [],
): Draft<T> {
  const [held, setHeld] = useState<Held<T>>({
    applied,
    value: applied,
    problems: [],
  });
  const newest = useRef(0);

  let now = held;
  if (held.applied !== applied) {
    // Either what was typed here has arrived, or it was changed from outside (undo, another CPU).
    now = same(held.value, applied)
      ? { ...held, applied }
      : { applied, value: applied, problems: [] };
    setHeld(now);
  }

  const change = (value: T) => {
    const problems = check(value);
    setHeld({ applied, value, problems });
    const turn = ++newest.current;
    if (problems.length > 0) return;
    void apply(value).then((refusal) => {
      if (!refusal || turn !== newest.current) return;
      setHeld((old) => ({ ...old, problems: [problemOf(refusal)] }));
    });
  };
  return { value: now.value, problems: now.problems, change };
}

function problemOf({ message, at }: Refusal): Problem {
  return { field: at && "field" in at ? at.field : "", message };
}

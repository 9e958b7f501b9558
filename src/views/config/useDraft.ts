/**
 * A configuration while the user edits it. Valid changes are applied at once. Invalid ones stay in the draft
 * with their errors until they are fixed or the configuration changes elsewhere.
 */
import { useRef, useState } from "react";
import type { Place } from "../../engine/generated/Place";
import { same } from "../../model/shared/mergePatch";
import type { Json } from "../../model/shared/mergePatch";
import type { Problem } from "../../model/config/checks";

/** Why the core rejected a configuration. */
export interface Rejection {
  readonly message: string;
  readonly at?: Place | undefined;
}

/** Resolves with the reason if the core rejected the configuration. */
export type Apply<T> = (configuration: T) => Promise<Rejection | undefined>;

export interface Draft<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
  readonly change: (value: T) => void;
}

interface Held<T> {
  /** The app's configuration when the user typed this. */
  readonly applied: T;
  readonly value: T;
  readonly problems: readonly Problem[];
  /** Configurations sent to the app that have not arrived yet, oldest first. */
  readonly sent: readonly T[];
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
    sent: [],
  });
  const newest = useRef(0);

  let now = held;
  if (held.applied !== applied) {
    // The new configuration is either what the user typed here, perhaps with more typed since, or a change
    // from elsewhere (undo, another CPU).
    const arrived = held.sent.findIndex((value) => same(value, applied));
    now =
      arrived >= 0 || same(held.value, applied)
        ? { ...held, applied, sent: held.sent.slice(arrived + 1) }
        : { applied, value: applied, problems: [], sent: [] };
    setHeld(now);
  }

  const change = (value: T) => {
    const problems = check(value);
    const isGood = problems.length === 0;
    setHeld(({ sent }) => ({
      applied,
      value,
      problems,
      sent: isGood ? [...sent, value] : sent,
    }));
    const turn = ++newest.current;
    if (!isGood) return;
    const settle = (rejection: Rejection | undefined) => {
      setHeld((old) => ({
        ...old,
        sent: old.sent.filter((each) => each !== value),
        ...(rejection &&
          turn === newest.current && { problems: [problemOf(rejection)] }),
      }));
    };
    // A failure on the way means that the change was not applied; report why, since it may be a bug of the
    // app.
    void apply(value).then(settle, (thrown: unknown) => {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      settle({ message });
      reportError(thrown);
    });
  };
  return { value: now.value, problems: now.problems, change };
}

function problemOf({ message, at }: Rejection): Problem {
  return { field: at && "field" in at ? at.field : "", message };
}

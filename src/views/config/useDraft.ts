/**
 * A configuration while it is edited. What passes the checks is applied at once; what does not stays in
 * the draft with its problems, until it does or the configuration is changed from outside.
 */
import { useRef, useState } from "react";
import type { Place } from "../../engine/generated/Place";
import { same } from "../../model/shared/mergePatch";
import type { Json } from "../../model/shared/mergePatch";
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
  /** What was handed over to be applied and has not arrived, oldest first. */
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
    // Either what was typed here has arrived, perhaps while more was typed on top of it, or it was changed
    // from outside (undo, another CPU).
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
    const settle = (refusal: Refusal | undefined) => {
      setHeld((old) => ({
        ...old,
        sent: old.sent.filter((each) => each !== value),
        ...(refusal &&
          turn === newest.current && { problems: [problemOf(refusal)] }),
      }));
    };
    // What fails on its way was not applied either, and says why; it may be a mistake of the app.
    void apply(value).then(settle, (thrown: unknown) => {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      settle({ message });
      reportError(thrown);
    });
  };
  return { value: now.value, problems: now.problems, change };
}

function problemOf({ message, at }: Refusal): Problem {
  return { field: at && "field" in at ? at.field : "", message };
}

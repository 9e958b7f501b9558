/**
 * A configuration while the user edits it. The core applies valid changes. Invalid ones stay in the draft with
 * their errors until they are fixed or the configuration changes elsewhere.
 */
import { useState } from "react";
import type { Place } from "../../engine/generated/Place";
import { same } from "../../model/shared/mergePatch";
import type { Json } from "../../model/shared/mergePatch";
import type { Problem } from "./fields";
import { messageOf } from "../../model/shared/messageOf";

/** Why the core rejected a configuration. */
export interface Rejection {
  readonly message: string;
  readonly at?: Place | undefined;
}

/** Resolves with what is wrong if the core rejected the configuration. */
export type Apply<T> = (configuration: T) => Promise<readonly Rejection[]>;

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
): Draft<T> {
  const [held, setHeld] = useState<Held<T>>({
    applied,
    value: applied,
    problems: [],
    sent: [],
  });

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
    // The old errors stay until the core has answered.
    setHeld((old) => ({ ...old, applied, value, sent: [...old.sent, value] }));
    const settle = (rejections: readonly Rejection[]) => {
      setHeld((old) => ({
        ...old,
        sent: old.sent.filter((each) => each !== value),
        ...(old.value === value && { problems: rejections.map(problemOf) }),
      }));
    };
    // A failure on the way means that the change was not applied; report why, since it may be a bug of the
    // app.
    void apply(value).then(settle, (thrown: unknown) => {
      const message = messageOf(thrown);
      settle([{ message }]);
      reportError(thrown);
    });
  };
  return { value: now.value, problems: now.problems, change };
}

function problemOf({ message, at }: Rejection): Problem {
  return { field: at && "field" in at ? at.field : "", message };
}

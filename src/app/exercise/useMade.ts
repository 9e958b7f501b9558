import { useEffect, useRef, useState } from "react";
import type { Draft } from "../../model/exercise/draft";
import type { Made, MakeActions } from "../../state/exercise/make";
import { problemOf } from "../../state/learn/problem";

interface Result {
  /** What it was made from. */
  readonly draft?: Draft;
  readonly name?: string;
  /** The exercise; after an error, the one before. */
  readonly made?: Made | undefined;
  readonly error?: string | undefined;
}

export interface MadeNow {
  readonly made: Made | undefined;
  readonly error: string | undefined;
  /** Whether the exercise is not that of the draft: it may not be handed out. */
  readonly isStale: boolean;
}

/** Quick changes are made together. */
const WAIT_MS = 300;

/** Makes the exercise again when the draft or the name changes; one at a time. */
export function useMade(
  actions: MakeActions,
  draft: Draft | undefined,
  name: string,
): MadeNow {
  const [result, setResult] = useState<Result>({});
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    if (!draft) return;
    let isHere = true;
    const isWanted = () => isHere;
    const make = async () => {
      if (!isWanted()) return;
      const next: Result = await actions.make(draft, name.trim()).then(
        (made) => ({ draft, name, made }),
        (thrown: unknown) => ({ draft, name, error: problemOf(thrown) }),
      );
      if (isWanted()) setResult((before) => ({ made: before.made, ...next }));
    };
    const timer = setTimeout(() => {
      queue.current = queue.current.then(make);
    }, WAIT_MS);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [actions, draft, name]);
  const { made, error } = result;
  const isOther = result.draft !== draft || result.name !== name;
  return { made, error, isStale: isOther || error !== undefined };
}

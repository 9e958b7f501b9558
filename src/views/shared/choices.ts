/**
 * What a view shows: a tab, the order of a table. The page stores it, so that a link restores it; a view
 * without a page stores it itself.
 */
import { createContext, useCallback, useContext, useState } from "react";

export interface Choices {
  /** Choices by key; missing = the view's default. */
  readonly values: Readonly<Record<string, string>>;
  readonly onChoose: (key: string, value: string | undefined) => void;
}

export const ChoicesContext = createContext<Choices | undefined>(undefined);

/** A choice stored as text. */
export function useChosen(
  key: string,
): readonly [
  value: string | undefined,
  choose: (value: string | undefined) => void,
] {
  const choices = useContext(ChoicesContext);
  const [own, setOwn] = useState<string>();
  const onChoose = choices?.onChoose;
  const choose = useCallback(
    (value: string | undefined) =>
      onChoose ? onChoose(key, value) : setOwn(value),
    [onChoose, key],
  );
  return [choices ? choices.values[key] : own, choose];
}

/** A choice of one value. `usual` is the default, and replaces a stored value that is not in the list. */
export function useChoice<T extends string>(
  key: string,
  known: readonly T[],
  usual: T | undefined = known[0],
): readonly [value: T | undefined, choose: (value: T) => void] {
  const [text, choose] = useChosen(key);
  const found = known.find((each) => each === text) ?? usual;
  const chooseOne = useCallback(
    (value: T) => choose(value === usual ? undefined : value),
    [choose, usual],
  );
  return [found, chooseOne];
}

/** A stored choice of folded or unfolded. */
export function useSwitch(
  key: string,
): readonly [isOn: boolean, turn: (on: boolean) => void] {
  const [text, choose] = useChosen(key);
  return [text === "yes", (on) => choose(on ? "yes" : undefined)];
}

/**
 * What a view shows of what it has: a tab, the order of a table. The page keeps it, so that a link restores it; a view
 * that stands alone keeps it itself.
 */
import { createContext, useContext, useState } from "react";

export interface Choices {
  /** By key; missing = as the view opens by itself. */
  readonly values: Readonly<Record<string, string>>;
  readonly onChoose: (key: string, value: string | undefined) => void;
}

export const ChoicesContext = createContext<Choices | undefined>(undefined);

/** A choice as text. */
export function useChosen(
  key: string,
): readonly [
  value: string | undefined,
  choose: (value: string | undefined) => void,
] {
  const choices = useContext(ChoicesContext);
  const [own, setOwn] = useState<string>();
  if (!choices) return [own, setOwn];
  return [choices.values[key], (value) => choices.onChoose(key, value)];
}

/** One of a few; `usual` is shown first, and where what is kept is none of them. */
export function useChoice<T extends string>(
  key: string,
  known: readonly T[],
  usual: T | undefined = known[0],
): readonly [value: T | undefined, choose: (value: T) => void] {
  const [text, choose] = useChosen(key);
  const found = known.find((each) => each === text) ?? usual;
  return [found, (value) => choose(value === usual ? undefined : value)];
}

/** Whether something is unfolded. */
export function useSwitch(
  key: string,
): readonly [isOn: boolean, turn: (on: boolean) => void] {
  const [text, choose] = useChosen(key);
  return [text === "yes", (on) => choose(on ? "yes" : undefined)];
}

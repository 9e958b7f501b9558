import { useMemo } from "react";
import type { Choices } from "../../views/shared/choices";
import { useActions, useApp } from "../context";

/** The choices in the views of the screen, kept in the store. */
export function useChoices(): Choices {
  const values = useApp(({ choices, screen }) => choices[screen]) ?? NONE;
  const { chooseView } = useActions();
  return useMemo(
    () => ({ values, onChoose: chooseView }),
    [values, chooseView],
  );
}

const NONE = {};

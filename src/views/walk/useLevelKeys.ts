/**
 * Makes a picture of tables one tab stop: ← → step through the walk, ↑ ↓ select a table, Home starts the
 * walk, End and Escape show the whole walk.
 */
import { useId } from "react";
import type { KeyboardEvent } from "react";
import type { NativeChoice } from "./useNativeWalk";

/** Attributes of the list and its options. */
export function useLevelKeys(
  choice: NativeChoice,
  count: number,
  label: string,
) {
  const id = useId();
  const optionId = (at: number) => `${id}-${at}`;
  const { selected, pinned } = choice;
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: choice.onForward,
    ArrowLeft: choice.onBack,
    ArrowUp: () => choice.onPick(Math.max(selected - 1, 0)),
    ArrowDown: () => choice.onPick(Math.min(selected + 1, count - 1)),
    Home: choice.onFirst,
    End: choice.onWhole,
    ...(pinned ? { Escape: choice.onWhole } : {}),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    act();
    // Arrow keys also step the replay, so they must not propagate from here.
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    list: {
      role: "listbox",
      tabIndex: 0,
      "aria-label": label,
      "aria-activedescendant": optionId(selected),
      onKeyDown,
    } as const,
    option: (at: number) =>
      ({
        id: optionId(at),
        role: "option",
        "aria-selected": at === selected,
        onClick: () => choice.onPick(at),
        onPointerEnter: () => choice.onHover(at),
        onPointerLeave: () => choice.onHover(null),
      }) as const,
  };
}

/** A question about the picture waits for its answer: labels and tips name no value that could be the answer. */
import { createContext, use } from "react";
import type { KeyboardEvent } from "react";
import type { PictureObject } from "../../model/replay/parts";

export interface Asking {
  /**
   * A part of the address is pressed as the answer. Returns whether the press changed it; otherwise the page has the
   * key. Missing = the address is no answer.
   */
  readonly onPress?:
    ((objects: readonly PictureObject[]) => boolean) | undefined;
}

/** `null` if no question waits. */
export const AskingContext = createContext<Asking | null>(null);

export function useAsking(): Asking | null {
  return use(AskingContext);
}

/** The attributes of an object that can be pressed as the answer. */
export function pressOf(
  asking: Asking | null,
  objects: readonly PictureObject[],
  name: string,
) {
  const onPress = asking?.onPress;
  if (!onPress || objects.length === 0) return {};
  return {
    role: "button",
    tabIndex: 0,
    "aria-label": name,
    "data-press": "",
    onClick: () => void onPress(objects),
    onKeyDown: (event: KeyboardEvent) => {
      const isPress = event.key === "Enter" || event.key === " ";
      if (isPress && onPress(objects)) event.preventDefault();
    },
  } as const;
}

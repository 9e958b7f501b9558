import { useEffect, useRef } from "react";

/** Returns whether the dialog still exists, since work that it started may outlive it. */
export function useIsOpen(): () => boolean {
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return () => isOpen.current;
}

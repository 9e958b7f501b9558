import { useEffect, useState } from "react";

/** What is over before this is not worth a word, in milliseconds. */
const DELAY_MS = 300;

/** The value once it has been there for a while; changes of it after that come through at once. */
export function useDelayed<T>(value: T | undefined): T | undefined {
  const isThere = value !== undefined;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!isThere) return;
    const timer = setTimeout(() => setShown(true), DELAY_MS);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [isThere]);
  return shown ? value : undefined;
}

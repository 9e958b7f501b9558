import { useEffect, useState } from "react";

/** Work that ends within this time is not shown, in milliseconds. */
const DELAY_MS = 300;

/** Returns the value once it has existed for a while. Later changes have no delay. */
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

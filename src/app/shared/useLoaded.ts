import { useEffect, useState } from "react";

/** What a part of the app returns once it is loaded. */
export function useLoaded<T>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>();
  useEffect(() => {
    let isHere = true;
    void load().then((value) => {
      if (isHere) setLoaded(() => value);
    });
    return () => {
      isHere = false;
    };
  }, [load]);
  return loaded;
}

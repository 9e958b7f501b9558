import { startTransition, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { SpokenContext } from "./spoken";
import type { Spoken } from "./spoken";

export interface SpokenRootProps {
  readonly first: Spoken;
  readonly children: ReactNode;
}

export function SpokenRoot({ first, children }: SpokenRootProps) {
  const [spoken, setSpoken] = useState(first);
  const value = useMemo(
    () => ({
      ...spoken,
      // The texts of the screen may have to load: the screen stays until then.
      onSpeak: (next: Spoken) => startTransition(() => setSpoken(next)),
    }),
    [spoken],
  );
  return <SpokenContext value={value}>{children}</SpokenContext>;
}

/** Opens the card of a term next to its word, anywhere on the page. The texts load with the first card. */
import { lazy, useCallback, useState } from "react";
import type { ReactNode } from "react";
import { TermsContext } from "../../views/shared/terms/Term";
import type { OpenCard } from "../../views/shared/terms/Term";
import { Part } from "../frame/Breakdown";
import type { OpenedCard } from "./TermCard";

const TermCard = lazy(() =>
  import("./TermCard").then((module) => ({ default: module.TermCard })),
);

export interface TermCardsProps {
  readonly onError: (error: unknown) => void;
  readonly children: ReactNode;
}

export function TermCards({ onError, children }: TermCardsProps) {
  const [opened, setOpened] = useState<OpenedCard>();
  const open = useCallback<OpenCard>((term, word, action) => {
    // Some browsers do not focus a clicked button, so the focus is restored here.
    word.focus();
    setOpened({ term, action, word: { current: word } });
  }, []);
  const close = useCallback(() => setOpened(undefined), []);
  return (
    <TermsContext value={open}>
      {children}
      {opened ? (
        <Part onError={onError}>
          <TermCard opened={opened} onClose={close} />
        </Part>
      ) : null}
    </TermsContext>
  );
}

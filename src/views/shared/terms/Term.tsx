/**
 * A word that a card of the glossary explains: a click opens the card. It looks like the text around it, with
 * a dotted line on hover and on focus. Without a glossary around it, the word is plain text.
 */
import { createContext, useContext } from "react";
import type { ReactNode } from "react";
import type { TermId } from "../../../model/glossary/terms";
import type { PictureObject } from "../../../model/replay/parts";
import { placesOf } from "./places";
import "./term.css";

/** What a card offers besides its text. */
export interface CardAction {
  readonly label: string;
  readonly onPress: () => void;
}

/** Opens a card next to the word. */
export type OpenCard = (
  term: TermId,
  word: HTMLElement,
  action?: CardAction,
) => void;

export const TermsContext = createContext<OpenCard | null>(null);

export interface TermProps {
  readonly term: TermId;
  /** The places of the word in the pictures. */
  readonly objects?: readonly PictureObject[];
  readonly action?: CardAction | undefined;
  readonly children: ReactNode;
}

export function Term({ term, objects = [], action, children }: TermProps) {
  const open = useContext(TermsContext);
  const places = placesOf(...objects);
  if (!open)
    return (
      <span className="term-plain" {...places}>
        {children}
      </span>
    );
  return (
    <button
      type="button"
      className="term"
      aria-haspopup="dialog"
      {...places}
      onClick={({ currentTarget }) => open(term, currentTarget, action)}
    >
      {children}
    </button>
  );
}

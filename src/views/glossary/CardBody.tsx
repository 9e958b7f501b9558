/** A card: name, picture, text, and where to go from here. */
import type { ReactNode } from "react";
import type { Card, SayCards } from "../../model/glossary/cards";
import { seeAlso, TERM_DATA } from "../../model/glossary/terms";
import type { TermId } from "../../model/glossary/terms";
import { CardPicture } from "./CardPicture";

export interface CardBodyProps {
  readonly card: Card;
  readonly say: SayCards;
  /** The names of the other cards. */
  readonly nameOf: (term: TermId) => string;
  /** The link of another card. */
  readonly linkTo: (term: TermId) => string;
  /** Follows a link to another card here, instead of leaving the page. */
  readonly onTerm?: (term: TermId) => void;
  /** Called when a link leaves the card. */
  readonly onLeave?: () => void;
  readonly children?: ReactNode;
}

export function CardBody({
  card,
  say,
  nameOf,
  linkTo,
  onTerm,
  onLeave,
  children,
}: CardBodyProps) {
  const { show } = TERM_DATA[card.term];
  return (
    <>
      <CardPicture term={card.term} say={say} />
      <div className="card-text">
        {card.also.length > 0 ? (
          <p className="card-also">
            {say("also", { names: card.also.join(", ") })}
          </p>
        ) : null}
        <p>{card.text}</p>
        <p className="card-links">
          <span className="card-see">{say("see")}</span>{" "}
          {seeAlso(card.term).map((term) => (
            <a
              key={term}
              href={linkTo(term)}
              onClick={(event) => {
                if (!onTerm) return;
                event.preventDefault();
                onTerm(term);
              }}
            >
              {nameOf(term)}
            </a>
          ))}
        </p>
        <p className="card-links card-actions">
          {children}
          {show === undefined ? null : (
            <a href={`#${show}`} onClick={onLeave}>
              {say("show")}
            </a>
          )}
        </p>
      </div>
    </>
  );
}

/** All cards as a page to read, search and print. One of them may be chosen by its link. */
import { useEffect, useRef } from "react";
import { counted } from "../../model/shared/format";
import { findCards } from "../../model/glossary/cards";
import type { Card } from "../../model/glossary/cards";
import type { TermId } from "../../model/glossary/terms";
import { CardBody } from "./CardBody";
import "./glossary.css";

export interface GlossaryPageProps {
  readonly cards: readonly Card[];
  /** The term of the link. */
  readonly term: TermId | undefined;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly linkTo: (term: TermId) => string;
}

export function GlossaryPage({
  cards,
  term,
  typed,
  onType,
  linkTo,
}: GlossaryPageProps) {
  const found = findCards(cards, typed);
  const names = new Map(cards.map(({ term, name }) => [term, name]));
  const nameOf = (of: TermId) => names.get(of) ?? of;
  return (
    <article className="glossary">
      <header className="glossary-head">
        <h1>Glossary</h1>
        <p>
          The words of address translation. In the replay, a click on a noun
          opens its card.
        </p>
        <label className="glossary-search">
          <span className="visually-hidden">Search the glossary</span>
          <input
            type="search"
            className="field"
            placeholder="Search: set, CR3, victim …"
            value={typed}
            onChange={(event) => onType(event.target.value)}
          />
          <span role="status">
            {typed.trim() === ""
              ? counted(cards.length, "term")
              : `${found.length} of ${counted(cards.length, "term")}`}
          </span>
        </label>
      </header>
      {found.length === 0 ? (
        <p className="glossary-none">
          No term, other name or text has “{typed.trim()}”.{" "}
          <button type="button" className="btn" onClick={() => onType("")}>
            Show all
          </button>
        </p>
      ) : (
        <div className="glossary-cards">
          {found.map((card) => (
            <Entry
              key={card.term}
              card={card}
              isChosen={card.term === term}
              {...{ nameOf, linkTo }}
            />
          ))}
        </div>
      )}
    </article>
  );
}

interface EntryProps {
  readonly card: Card;
  readonly isChosen: boolean;
  readonly nameOf: (term: TermId) => string;
  readonly linkTo: (term: TermId) => string;
}

function Entry({ card, isChosen, nameOf, linkTo }: EntryProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (!isChosen) return;
    link.current?.focus({ preventScroll: true });
    link.current?.closest("section")?.scrollIntoView({ block: "center" });
  }, [isChosen]);
  return (
    <section
      className={isChosen ? "glossary-card chosen" : "glossary-card"}
      aria-labelledby={`term-${card.term}`}
    >
      <h2 id={`term-${card.term}`}>
        <a
          ref={link}
          href={linkTo(card.term)}
          aria-current={isChosen ? "true" : undefined}
          title="A link to this term"
        >
          {card.name}
        </a>
      </h2>
      <CardBody card={card} nameOf={nameOf} linkTo={linkTo} />
    </section>
  );
}

/** All cards as a page to read, search and print. One of them may be chosen by its link. */
import { useEffect, useRef } from "react";
import { findCards } from "../../model/glossary/cards";
import type { Card, SayCards } from "../../model/glossary/cards";
import type { TermId } from "../../model/glossary/terms";
import { CardBody } from "./CardBody";
import "./glossary.css";

export interface GlossaryPageProps {
  readonly cards: readonly Card[];
  readonly say: SayCards;
  /** The term of the link. */
  readonly term: TermId | undefined;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly linkTo: (term: TermId) => string;
}

export function GlossaryPage({
  cards,
  say,
  term,
  typed,
  onType,
  linkTo,
}: GlossaryPageProps) {
  const found = findCards(cards, typed);
  const names = new Map(cards.map(({ term, name }) => [term, name]));
  const nameOf = (of: TermId) => names.get(of) ?? of;
  return (
    <article className="glossary translated">
      <header className="glossary-head">
        <h1>{say("title")}</h1>
        <p>{say("about")}</p>
        <label className="glossary-search">
          <span className="visually-hidden">{say("search")}</span>
          <input
            type="search"
            className="field"
            placeholder={say("examples")}
            value={typed}
            onChange={(event) => onType(event.target.value)}
          />
          <span role="status">
            {typed.trim() === ""
              ? say("all", { n: cards.length })
              : say("found", { found: found.length, n: cards.length })}
          </span>
        </label>
      </header>
      {found.length === 0 ? (
        <p className="glossary-none">
          {say("none", { typed: typed.trim() })}{" "}
          <button type="button" className="btn" onClick={() => onType("")}>
            {say("showAll")}
          </button>
        </p>
      ) : (
        <div className="glossary-cards">
          {found.map((card) => (
            <Entry
              key={card.term}
              card={card}
              isChosen={card.term === term}
              {...{ say, nameOf, linkTo }}
            />
          ))}
        </div>
      )}
    </article>
  );
}

interface EntryProps {
  readonly card: Card;
  readonly say: SayCards;
  readonly isChosen: boolean;
  readonly nameOf: (term: TermId) => string;
  readonly linkTo: (term: TermId) => string;
}

function Entry({ card, say, isChosen, nameOf, linkTo }: EntryProps) {
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
          title={say("link")}
        >
          {card.name}
        </a>
      </h2>
      <CardBody card={card} say={say} nameOf={nameOf} linkTo={linkTo} />
    </section>
  );
}

/** The texts of the cards, read from the Markdown of one language. */
import type { Cards } from "../../texts/en/cards";
import type { Say } from "../texts/messages";
import { isTerm, TERM_IDS } from "./terms";
import type { TermId } from "./terms";

/** Writes a message around the cards. */
export type SayCards = Say<keyof Cards>;

export interface Card {
  readonly term: TermId;
  readonly name: string;
  /** Other names, which a search finds. */
  readonly also: readonly string[];
  readonly text: string;
}

const HEADING = /^## ([a-z-]+): (.+)$/;

/** The cards in the order of the terms. */
export function readCards(markdown: string): Card[] {
  const cards = markdown
    .split(/\n(?=## )/)
    .slice(1)
    .map(readCard);
  return TERM_IDS.flatMap((id) => cards.find(({ term }) => term === id) ?? []);
}

function readCard(section: string): Card {
  const [heading = "", ...blocks] = section.split(/\n{2,}/);
  const [, term = "", name = ""] = HEADING.exec(heading.trim()) ?? [];
  if (!isTerm(term)) throw new Error(`“${heading}” names no term`);
  const paragraphs = blocks.map((block) => block.trim().replaceAll("\n", " "));
  const also = paragraphs.find((block) => block.startsWith("Also: "));
  return {
    term,
    name,
    also: also?.slice("Also: ".length).split(", ") ?? [],
    text: paragraphs
      .filter((block) => block !== also && block !== "")
      .join("\n"),
  };
}

/** The cards that match what was typed: names first, then other names, then texts. */
export function findCards(cards: readonly Card[], typed: string): Card[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return [...cards];
  const has = (text: string) => text.toLowerCase().includes(wanted);
  const rank = ({ name, also, text }: Card) =>
    has(name) ? 0 : also.some(has) ? 1 : has(text) ? 2 : 3;
  return [0, 1, 2].flatMap((wantedRank) =>
    cards.filter((card) => rank(card) === wantedRank),
  );
}

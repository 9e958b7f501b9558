/** One card in a dialog next to its word. Links to other cards change the card in place. */
import { use, useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import type { TermId } from "../../model/glossary/terms";
import { CardBody } from "../../views/glossary/CardBody";
import { Icon } from "../../views/shared/Icon";
import { FloatingDialog } from "../../views/shared/opener/Opener";
import type { CardAction } from "../../views/shared/terms/Term";
import { useSpoken } from "../language/spoken";
import { linkTo } from "./linkTo";
import { loadGlossary } from "./texts";
import "../../views/glossary/glossary.css";

export interface OpenedCard {
  readonly term: TermId;
  readonly word: RefObject<HTMLElement>;
  readonly action: CardAction | undefined;
}

export interface TermCardProps {
  readonly opened: OpenedCard;
  readonly onClose: () => void;
}

export function TermCard({ opened, onClose }: TermCardProps) {
  const { language } = useSpoken();
  const { cards, say } = use(loadGlossary(language));
  const [term, setTerm] = useState(opened.term);
  const title = useRef<HTMLHeadingElement>(null);
  // The link that was followed is gone, so the focus goes to the new title.
  useEffect(() => {
    if (term !== opened.term) title.current?.focus();
  }, [term, opened.term]);
  const nameOf = (of: TermId) =>
    cards.find((each) => each.term === of)?.name ?? of;
  const card = cards.find((each) => each.term === term);
  if (!card) return null;
  const { action } = opened;
  return (
    <FloatingDialog
      triggerRef={opened.word}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      label={say("card", { name: card.name })}
      className="card translated"
      lang={language}
      placement="bottom start"
    >
      {({ close }) => (
        <>
          <header className="card-head">
            <h2 ref={title} tabIndex={-1}>
              {card.name}
            </h2>
            <button
              type="button"
              className="btn quiet icon"
              aria-label={say("close")}
              onClick={close}
            >
              <Icon name="close" />
            </button>
          </header>
          <CardBody
            card={card}
            say={say}
            nameOf={nameOf}
            linkTo={linkTo}
            onTerm={setTerm}
            onLeave={close}
          >
            {action ? (
              <button
                type="button"
                className="btn"
                onClick={() => {
                  close();
                  action.onPress();
                }}
              >
                {action.label}
              </button>
            ) : null}
            <a href={linkTo(card.term)} onClick={close}>
              {say("open")}
            </a>
          </CardBody>
        </>
      )}
    </FloatingDialog>
  );
}

import { use, useState } from "react";
import { isTerm } from "../../model/glossary/terms";
import { GlossaryPage } from "../../views/glossary/GlossaryPage";
import { useApp } from "../context";
import { loadCards } from "./cards";
import { linkTo } from "./linkTo";

export function GlossaryScreen() {
  const cards = use(loadCards());
  const term = useApp((state) => state.term);
  const [typed, setTyped] = useState("");
  return (
    <GlossaryPage
      cards={cards}
      term={term !== undefined && isTerm(term) ? term : undefined}
      typed={typed}
      onType={setTyped}
      linkTo={linkTo}
    />
  );
}

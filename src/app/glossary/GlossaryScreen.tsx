import { use, useState } from "react";
import { isTerm } from "../../model/glossary/terms";
import { GlossaryPage } from "../../views/glossary/GlossaryPage";
import { useApp } from "../context";
import { useSpoken } from "../language/spoken";
import { linkTo } from "./linkTo";
import { loadGlossary } from "./texts";

export function GlossaryScreen() {
  const { cards, say } = use(loadGlossary(useSpoken().language));
  const term = useApp((state) => state.term);
  const [typed, setTyped] = useState("");
  return (
    <GlossaryPage
      cards={cards}
      say={say}
      term={term !== undefined && isTerm(term) ? term : undefined}
      typed={typed}
      onType={setTyped}
      linkTo={linkTo}
    />
  );
}

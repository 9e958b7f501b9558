import { encodePermalink } from "../../model/permalink/permalink";
import type { TermId } from "../../model/glossary/terms";

/** The link of one card on the glossary's page. */
export function linkTo(term: TermId): string {
  return `#${encodePermalink({ screen: "glossary", term })}`;
}

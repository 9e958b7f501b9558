import type { Ending as EndingText } from "../../model/replay/noTranslation";
import { Glyph } from "../shared/Glyph";
import { Term } from "../shared/terms/Term";

/** What ended the access, in place of the trail. */
export function Ending({ ending }: { readonly ending: EndingText }) {
  const { title, cause, isException } = ending;
  return (
    <p className="access-ending">
      {isException ? (
        <span className="access-chip access-chip-exception">
          <Glyph outcome="exception" size={12} />
          <Term term="exception">exception</Term> {title}
        </span>
      ) : (
        <span className="access-chip">
          <b>{title}</b>
        </span>
      )}{" "}
      {cause}
    </p>
  );
}

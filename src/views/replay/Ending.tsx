import type { Ending as EndingText } from "../../model/replay/noTranslation";

/** What ended the access, in place of the trail. */
export function Ending({ ending }: { readonly ending: EndingText }) {
  return (
    <p className="access-ending">
      <span className="access-chip">
        <b>{ending.title}</b>
      </span>{" "}
      {ending.why}
    </p>
  );
}

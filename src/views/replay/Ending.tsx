import type { Ending as EndingText } from "../../model/replay/noTranslation";

/** In place of the trail: what ended the access. */
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

/** All that is known about one saved run: what the table cuts or leaves out, too. */
import { savedColumns } from "../../model/compare/savedTable";
import type { SavedRow } from "../../model/compare/savedTable";

export interface SavedPreviewProps {
  readonly title: string;
  readonly row: SavedRow;
}

export function SavedPreview({ title, row }: SavedPreviewProps) {
  const facts = savedColumns([row], undefined)
    .map(({ id, head, text, isNumber = false }) => ({
      id,
      head,
      isNumber,
      text: text(row),
    }))
    .filter(({ text }) => text !== "")
    .sort((a, b) => Number(a.isNumber) - Number(b.isNumber));
  return (
    <section className="saved-preview" aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {facts.map(({ id, head, text, isNumber }) => (
          <div key={id} className={isNumber ? "saved-number" : undefined}>
            <dt className="t2">{head}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

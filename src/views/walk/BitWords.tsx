/** One bit of an entry in words: for the tooltip, and as a text for screen readers. */
import { bitText, bitWords } from "../../model/walk/bitWords";
import type { EntryChange, EntryField } from "../../model/walk/entry";

export interface BitWordsProps {
  readonly field: EntryField;
  readonly change: EntryChange | null;
}

export function BitText({ field, change }: BitWordsProps) {
  return bitText(bitWords(field, change));
}

export function BitTip({ field, change }: BitWordsProps) {
  const { title, meaning, now, changed } = bitWords(field, change);
  return (
    <div className="walk-tip">
      <b>{title}</b>: {meaning}.
      <br />
      {now}
      {changed === "" ? null : (
        <>
          <br />
          <b>{changed}</b>
        </>
      )}
    </div>
  );
}

/** The pages that compete for a set. */
import { counted } from "../../model/shared/format";
import { hex } from "../../model/shared/hex";
import { entryAt } from "../../model/tlb/array";
import type { ArrayColumns } from "../../model/tlb/array";

export interface RivalsProps {
  readonly content: ArrayColumns;
  readonly ways: number;
  readonly set: number;
}

/** The largest number of pages listed; the rest is only counted. */
const LISTED = 16;

export function Rivals({ content, ways, set }: RivalsProps) {
  const entries = Array.from({ length: ways }, (_, way) =>
    entryAt(content, ways, set, way),
  ).filter((each) => each !== null);
  return (
    <span className="tlb-rivals">
      {introduction(entries.length, set)}
      {entries.slice(0, LISTED).map((each, at) => (
        <span key={each.way}>
          <code>{hex(each.key)}</code> ({counted(each.hits, "hit")})
          {at < Math.min(entries.length, LISTED) - 1 ? "," : ""}
        </span>
      ))}
      {entries.length > LISTED ? ` and ${entries.length - LISTED} more` : ""}
    </span>
  );
}

function introduction(count: number, set: number): string {
  if (count === 0) return `set ${set} holds no page`;
  return count === 1
    ? `set ${set} holds 1 page: `
    : `${count} pages compete for set ${set}: `;
}

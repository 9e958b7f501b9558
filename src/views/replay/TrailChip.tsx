import type { Chip } from "../../model/replay/trail";
import { Glyph } from "../shared/Glyph";
import { Term } from "../shared/terms/Term";
import { placesOf } from "../shared/terms/places";

export interface TrailChipProps {
  readonly chip: Chip;
}

/** One structure that was looked up, or the outcome with its colour and shape. */
export function TrailChip({ chip }: TrailChipProps) {
  const { outcome, text, term, detail } = chip;
  return (
    <span
      className={outcome ? `access-chip access-chip-${outcome}` : "access-chip"}
      title={detail}
      {...placesOf(
        ...(outcome === "fault" ? (["touch", "walk"] as const) : []),
        ...(outcome === "walk" ? (["walk"] as const) : []),
      )}
    >
      {outcome ? <Glyph outcome={outcome} size={12} /> : null}
      <Term term={term}>{text}</Term>
    </span>
  );
}

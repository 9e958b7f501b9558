import type { Chip } from "../../model/replay/trail";
import { Glyph } from "../shared/Glyph";

export interface TrailChipProps {
  readonly chip: Chip;
}

/** One structure that was looked up, or the outcome with its colour and shape. */
export function TrailChip({ chip }: TrailChipProps) {
  const { outcome, text, detail } = chip;
  return (
    <span
      className={outcome ? `access-chip access-chip-${outcome}` : "access-chip"}
      title={detail}
    >
      {outcome ? <Glyph outcome={outcome} size={12} /> : null}
      {text}
    </span>
  );
}

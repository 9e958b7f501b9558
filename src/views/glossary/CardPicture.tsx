/** The small picture of a card: a drawing with the parts lit that the card explains. */
import type { ComponentType } from "react";
import type { SayCards } from "../../model/glossary/cards";
import { TERM_DATA } from "../../model/glossary/terms";
import type { Drawing, TermId } from "../../model/glossary/terms";
import {
  AddressDrawing,
  CachesDrawing,
  CodeDrawing,
  EntryDrawing,
  PagesDrawing,
  SizesDrawing,
  TreeDrawing,
} from "./drawings/memory";
import { HEIGHT, WIDTH } from "./drawings/primitives";
import type { DrawingProps } from "./drawings/primitives";
import { CoresDrawing, GridDrawing, WorldsDrawing } from "./drawings/systems";
import {
  ChaseDrawing,
  CurveDrawing,
  CyclesDrawing,
  LookupDrawing,
  PairsDrawing,
  SetsDrawing,
  TimesDrawing,
} from "./drawings/tlb";
import "./glossary.css";

const DRAWINGS: Readonly<Record<Drawing, ComponentType<DrawingProps>>> = {
  address: AddressDrawing,
  caches: CachesDrawing,
  chase: ChaseDrawing,
  code: CodeDrawing,
  cores: CoresDrawing,
  curve: CurveDrawing,
  cycles: CyclesDrawing,
  entry: EntryDrawing,
  grid: GridDrawing,
  lookup: LookupDrawing,
  pages: PagesDrawing,
  pairs: PairsDrawing,
  sets: SetsDrawing,
  sizes: SizesDrawing,
  times: TimesDrawing,
  tree: TreeDrawing,
  worlds: WorldsDrawing,
};

export interface CardPictureProps {
  readonly term: TermId;
  readonly say: SayCards;
}

export function CardPicture({ term, say }: CardPictureProps) {
  const [drawing, ...lit] = TERM_DATA[term].picture;
  const Picture = DRAWINGS[drawing];
  return (
    // The text of the card says what it shows.
    <svg
      className="card-picture"
      viewBox={`-2 0 ${WIDTH + 4} ${HEIGHT}`}
      aria-hidden="true"
    >
      <Picture isLit={(part) => lit.includes(part)} say={say} />
    </svg>
  );
}

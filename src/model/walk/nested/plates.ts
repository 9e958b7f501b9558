/** The words over skipped references: the structure that hit, on a plate in the middle of its cells. */
import type { TranslationView } from "../../../engine/generated/TranslationView";
import { middleOf } from "./layout";
import type { NestedLayout } from "./layout";
import type { Skip } from "./skip";
import type { WalkStep } from "./steps";
import type { CssPixels } from "../../shared/units";

export interface Plate {
  readonly x: CssPixels;
  readonly y: CssPixels;
  readonly width: CssPixels;
  readonly text: string;
  /** A second line. */
  readonly detail: string | null;
}

/** Estimated character width, enough for wider fonts. */
const CHAR: CssPixels = 6.9;
const PAD: CssPixels = 20;
const PAD_PHONE: CssPixels = 8;

/** Texts from long to short; the view takes the first that fits. */
function textsOf({ who, kind }: Skip): readonly string[] {
  if (kind === "pwc") return [`${who} hit`, "PWC hit", "PWC"];
  if (kind === "nested-tlb")
    return [`${who} hit`, who, who === "nested TLB" ? "nTLB" : "IPA"];
  if (kind === "tlb") return [`${who} hit`, who];
  const name = who.replace(/ cache$/, "");
  return [
    `${who} hit`,
    `${name} hit`,
    name,
    name.replace(/^EPT /, ""),
    name.replace(/^stage 2 (\S+).*/, "$1"),
  ];
}

/** What a structure held that skipped whole rows: `page 0x7f3a1c2b5 → frame 0x6e21d3`. */
function detailOf(
  { kind, lookup }: Skip,
  { page_number, frame }: TranslationView,
): string | null {
  if (kind === "tlb") return `page ${page_number} → frame ${frame}`;
  return lookup ? `address >> ${lookup.key_shift} = ${lookup.key}` : null;
}

export function plates(
  steps: readonly WalkStep[],
  hosts: number,
  layout: NestedLayout,
  translation: TranslationView,
): Plate[] {
  return steps.flatMap(({ cells, skip }) => {
    const first = cells[0];
    const last = cells.at(-1);
    if (!skip || !first || !last) return [];
    // A plate for whole rows is over the host's columns.
    const rows = first.row !== last.row;
    const middle = rows
      ? middleOf(
          layout,
          { row: first.row, column: 0 },
          { row: last.row, column: hosts - 1 },
        )
      : middleOf(layout, first, last);
    const pad = layout.size === "phone" ? PAD_PHONE : PAD;
    const texts = textsOf(skip);
    const fits = (text: string) =>
      text.length * CHAR + pad <= middle.width + layout.gap * 2;
    const text = texts.find(fits) ?? texts.at(-1) ?? "";
    const detail = rows ? detailOf(skip, translation) : null;
    const shown = detail !== null && fits(detail) ? detail : null;
    const longest = Math.max(text.length, shown?.length ?? 0);
    return [{ ...middle, width: longest * CHAR + pad, text, detail: shown }];
  });
}

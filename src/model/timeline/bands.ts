/** The rows of the address × time picture: one band per region, and which bands have space for their name. */
import type { RegionView } from "../../engine/generated/RegionView";
import type { CssPixels, RowIndex, TextScale } from "../shared/units";

/** The rows of one region, relative to the top of the heat map. */
export interface Band {
  readonly region: RegionView;
  readonly top: CssPixels;
  readonly height: CssPixels;
  /** False if a neighbour's label needs the space. */
  readonly labelled: boolean;
}

const BAND_GAP: CssPixels = 3;
const BAND_LEAST: CssPixels = 10;
const LABEL_PITCH: CssPixels = 12;

/** Bands in proportion to their rows, at least as high as a label unless there are too many. */
export function bands(
  regions: readonly RegionView[],
  height: CssPixels,
  text: TextScale = 1,
): Band[] {
  const label = BAND_LEAST * text;
  const gap = regions.length * (BAND_GAP + label) > height ? 1 : BAND_GAP;
  const available = height - gap * (regions.length - 1);
  const least = Math.min(label, available / Math.max(1, regions.length));
  const heights = share(
    regions.map((region) => region.rows),
    available,
    least,
  );
  let top = 0;
  const placed = regions.map((region, i) => {
    const band = { region, top, height: heights[i] ?? least };
    top += band.height + gap;
    return band;
  });
  const labelled = chooseLabels(placed, LABEL_PITCH * text);
  return placed.map((band) => ({
    ...band,
    labelled: labelled.has(band.region),
  }));
}

/** Divides `total` by weight with parts of at least `least`: small parts grow, large parts shrink. */
function share(
  weights: readonly number[],
  total: number,
  least: number,
): number[] {
  const raised = new Set<number>();
  for (;;) {
    const rest = weights.reduce(
      (sum, weight, i) => sum + (raised.has(i) ? 0 : weight),
      0,
    );
    const unit = (total - raised.size * least) / rest;
    const small = weights.findIndex(
      (weight, i) => !raised.has(i) && weight * unit < least - 1e-9,
    );
    if (small === -1)
      return weights.map((weight, i) =>
        raised.has(i) ? least : weight * unit,
      );
    raised.add(small);
  }
}

/** Regions with many pages are labelled first, others if there is space. */
function chooseLabels(
  placed: readonly Omit<Band, "labelled">[],
  pitch: CssPixels,
): Set<RegionView> {
  const middles: number[] = [];
  const chosen = new Set<RegionView>();
  for (const { region, top, height } of placed.toSorted(
    (a, b) => b.region.pages - a.region.pages,
  )) {
    const middle = top + height / 2;
    if (middles.some((other) => Math.abs(other - middle) < pitch)) continue;
    middles.push(middle);
    chosen.add(region);
  }
  return chosen;
}

/** Top and height of a row, relative to the top of the heat map. */
export function rowBox(
  all: readonly Band[],
  row: RowIndex,
): { top: CssPixels; height: CssPixels } | null {
  const band = all.find(
    ({ region }) =>
      row >= region.first_row && row < region.first_row + region.rows,
  );
  if (!band) return null;
  const height = band.height / band.region.rows;
  return { top: band.top + (row - band.region.first_row) * height, height };
}

/** The row at a height within the heat map; `null` between regions. */
export function rowAt(all: readonly Band[], y: CssPixels): RowIndex | null {
  const band = all.find(({ top, height }) => y >= top && y < top + height);
  if (!band) return null;
  const row = Math.floor(((y - band.top) / band.height) * band.region.rows);
  return band.region.first_row + Math.min(band.region.rows - 1, row);
}

/**
 * Heights of the TLB panel's parts. They depend on the machine and the panel's width, never on the access:
 * nothing moves while the replay alternates between arrays.
 */
import type { MachineView } from "../../engine/generated/MachineView";
import type { StructureView } from "../../engine/generated/StructureView";
import { arrayLayout } from "./array";
import type { CssPixels } from "../shared/units";

export interface TlbHeights {
  /** The height of a first-level array's rows: four rows are as high as eight. */
  readonly rows: CssPixels;
  /** A first-level array with its words. */
  readonly first: CssPixels;
  /** The map of the second level below it. */
  readonly map: CssPixels;
  /** The second level with its title and the opened set. */
  readonly second: CssPixels;
}

/** Padding, and the line between the levels. */
const AROUND: CssPixels = 20;

/** The panel without its head. */
export function bodyHeight({ first, second }: TlbHeights): CssPixels {
  return first + second + AROUND;
}

/** The widest panel with text at its normal size; in wider panels, rows grow with the width. */
const PLAIN_WIDTH: CssPixels = 680;
const FOUR_ROWS: CssPixels = 96;
/** Four rows on a machine without a second level, which leaves its space. */
const FOUR_ROWS_ALONE: CssPixels = 192;
/** The lowest row that fits text of 11 pixels. */
const DENSE_ROW: CssPixels = 15;
const HIGHEST_ROW: CssPixels = 30;
const SET_NUMBERS: CssPixels = 22;
const WORDS: CssPixels = 34;
const TITLE: CssPixels = 32;
const MAP = { row: 7, least: 40, enough: 66, most: 84, numbers: 18 } as const;
/** The opened set: the wedge with its cells, and the names of its groups. */
const STRIP: CssPixels = 51;
const GROUPS: CssPixels = 24;
/** The words below an opened set. */
const EVENT: CssPixels = 22;

/** The enlargement in a wide panel. */
export function tlbScale(width: CssPixels): number {
  return Math.min(Math.max(width / PLAIN_WIDTH, 1), 1.3);
}

/** A band as high as its rows need, up to `most`. */
export function mapHeight(rows: number, most: CssPixels): CssPixels {
  const scale = Math.max(most / MAP.most, 1);
  return Math.round(
    Math.min(Math.max(rows * MAP.row * scale, MAP.least), most),
  );
}

/** The height of one row if `rows` share `height`. */
export function rowPitch(rows: number, height: CssPixels): CssPixels {
  // No row is higher than a fourth of the array, even if it is the only one.
  const highest = Math.max(HIGHEST_ROW, Math.floor(height / 4));
  return Math.max(Math.min(Math.floor(height / rows), highest), DENSE_ROW);
}

function cellsHeight(sets: number, rows: CssPixels): CssPixels {
  return (sets > 1 ? SET_NUMBERS : 4) + rows + WORDS;
}

/** The height of a map with its words; a `low` one opens no set. */
function mapBlock(
  view: StructureView,
  most: CssPixels,
  low: boolean,
): CssPixels {
  const groups = view.replacement === "mru3-plru4" ? GROUPS : 0;
  return (
    mapHeight(arrayLayout(view).rows, most) +
    MAP.numbers +
    (low ? 0 : STRIP + groups) +
    EVENT
  );
}

/** `low` is for a low screen. */
export function tlbHeights(
  { structures }: MachineView,
  width: CssPixels,
  low = false,
): TlbHeights {
  const scale = tlbScale(width);
  const inRole = (role: string) =>
    structures.filter((view) => view.role === role);
  const isMap = (view: StructureView) => arrayLayout(view).kind === "map";
  const levels = inRole("l2");
  const least = (levels.length === 0 ? FOUR_ROWS_ALONE : FOUR_ROWS) * scale;
  const most = MAP.most * scale;

  const cells = inRole("l1").filter((view) => !isMap(view));
  const dense = cells.map((view) => {
    const { rows } = arrayLayout(view);
    return rows <= 4 ? 0 : rows * DENSE_ROW * scale;
  });
  const rows = Math.round(Math.max(least, ...dense));
  const first = Math.max(
    cellsHeight(2, least),
    ...inRole("l1").map((view) =>
      isMap(view)
        ? TITLE + mapBlock(view, most, low)
        : cellsHeight(view.sets, rows),
    ),
  );
  // With little space, the map shrinks by what the first level needs beyond four rows, and by the words below it.
  const map =
    !low && width >= PLAIN_WIDTH
      ? most
      : Math.max(
          most - EVENT - (first - SET_NUMBERS - least - WORDS),
          low ? MAP.least : MAP.enough,
        );
  // On a low screen, the second level's small arrays (for 1G pages) may be higher when they are shown.
  const shown = low && levels.some(isMap) ? levels.filter(isMap) : levels;
  const second = shown.map(
    (view) =>
      TITLE +
      (isMap(view)
        ? mapBlock(view, map, low)
        : cellsHeight(view.sets, arrayLayout(view).rows * 24)),
  );
  return { rows, first, map, second: Math.max(0, ...second) };
}

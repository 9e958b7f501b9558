/**
 * A small array as cells with text: columns are sets, rows are ways. A fully associative array is a grid of
 * ways.
 */
import { Fragment, useRef, useState } from "react";
import type { StructureRole } from "../../engine/generated/StructureRole";
import { hex } from "../../model/shared/hex";
import { ageScale, entryAt, placeAt, positionOf } from "../../model/tlb/array";
import type { ArrayEntry, ArrayLayout } from "../../model/tlb/array";
import { rowPitch } from "../../model/tlb/heights";
import { shapeOf } from "../../model/tlb/tabs";
import type { CssPixels } from "../../model/shared/units";
import { GlyphMark } from "../shared/Glyph";
import { useSize } from "../shared/useSize";
import { useTip } from "../shared/useTip";
import type { ArrayPicture } from "./arrayPicture";
import { isHidden } from "./arrayPicture";
import { Cell } from "./Cell";
import { entryTip } from "./entryTip";
import { arrayPlaces, slotPlaces } from "./objects";
import type { OwnedPlace, Place } from "./place";
import { HEADS, SetHeads } from "./SetHeads";
import { useGridKeys } from "./useGridKeys";

export interface ArrayCellsProps extends ArrayPicture {
  /** Draws a line from the slot of the hit or fill to the words below. */
  readonly tick?: boolean;
  /** What a reader expects: a set or one way, drawn with a dashed outline. */
  readonly guess?: Place | null;
  /** What a press chooses as an answer. */
  readonly chooses?: OwnedPlace["chooses"];
  /** The height of all rows together; by default 24 pixels each. */
  readonly height?: CssPixels;
  readonly phone: boolean;
  /** The text of a cell, by default the last digits of its key. */
  readonly labelOf?: (key: bigint, keyShift: number, width: number) => string;
}

const GUTTER = 44;
/** From this width on, a cell on a phone has space for the mark beside its digits. */
const MARK_BESIDE: CssPixels = 60;
const GAP = 3;

/** Limits the width, so that cells of an array with few columns do not become bars. */
function pitchOf(columns: number, room: number): number {
  return Math.min(room / columns, 120);
}

/**
 * The middle of a set as a CSS length of the panel's width, since the words below it are not part of the
 * picture.
 */
export function setPosition({ columns }: ArrayLayout, set: number): string {
  const share = (set + 0.5) / columns;
  return `(100% - ${GUTTER}px) * ${share.toFixed(4)} + ${GUTTER - 8}px`;
}

export function ArrayCells({
  view,
  content,
  layout,
  event,
  picked,
  shown,
  onPick,
  onDrop,
  phone,
  tick = false,
  guess = null,
  chooses = null,
  height,
  labelOf,
}: ArrayCellsProps) {
  const { columns, rows, fold } = layout;
  const { sets, ways } = view;
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame, { width: phone ? 358 : 680, height: 0 });
  const width = Math.max(size.width, phone ? 280 : 400);
  const gutter = phone ? 0 : GUTTER;
  const pitch = pitchOf(columns, width - gutter);
  const pitchY = phone ? 22 : rowPitch(rows, height ?? rows * 24);
  const choosesSets = chooses === "set";
  const top = sets === 1 ? 4 : choosesSets ? HEADS.buttons : HEADS.plain;
  const bottom = top + rows * pitchY;
  const age = ageScale(content);
  const { show, hide, tip } = useTip();
  const [cursor, setCursor] = useState({ column: 0, row: 0 });
  const keys = useGridKeys(
    columns,
    rows,
    cursor,
    setCursor,
    (at) => {
      const place = placeAt(view, layout, at.column, at.row);
      if (place) onPick(place.set, place.way);
    },
    picked ? onDrop : null,
    // Enter on the answer itself goes to the page, which runs it.
    (at) => {
      const place = chooses && placeAt(view, layout, at.column, at.row);
      return place !== null && isGuess(place, guess);
    },
  );
  const marked =
    event.way !== null && event.set !== null && event.what !== "miss"
      ? { set: event.set, way: event.way }
      : null;
  const outlined = fold === 1 && sets > 1 ? (picked?.set ?? event.set) : null;
  return (
    <div
      className="tlb-cells"
      ref={frame}
      {...keys.grid}
      aria-label={`${view.name}, ${shapeOf(view)}`}
    >
      <svg
        className="tlb-svg"
        width={width}
        height={bottom + (tick ? 10 : 2)}
        role="presentation"
      >
        {sets > 1 ? (
          <SetHeads
            role={view.role}
            event={event}
            sets={sets}
            left={gutter}
            pitch={fold * pitch}
            gap={GAP}
            named={!phone}
            guess={guess?.set ?? null}
            onChoose={
              choosesSets
                ? (set) => {
                    setCursor({ column: set * fold, row: 0 });
                    onPick(set, null);
                  }
                : undefined
            }
          />
        ) : null}
        {Array.from({ length: rows }, (_, row) => (
          <g key={row} role="row">
            {phone ? null : (
              <text
                x={0}
                y={top + (row + 0.5) * pitchY + 2}
                className="xs faint"
                aria-hidden="true"
              >
                {fold === 1
                  ? `way ${row}`
                  : `${row * fold} – ${Math.min((row + 1) * fold, ways) - 1}`}
              </text>
            )}
            {Array.from({ length: columns }, (_, column) => {
              const place = placeAt(view, layout, column, row);
              if (!place) return null;
              const entry = entryAt(content, ways, place.set, place.way);
              const isMarked =
                (marked?.set === place.set && marked.way === place.way) ||
                event.others.some(
                  ({ set, way }) => set === place.set && way === place.way,
                );
              const box = {
                x: gutter + column * pitch,
                y: top + row * pitchY,
                width: pitch - GAP,
                height: pitchY - 3,
              };
              return (
                <Fragment key={column}>
                  <g aria-hidden="true">
                    <Cell
                      {...box}
                      entry={entry}
                      age={entry ? age(entry.usedAt) : 3}
                      next={content.next[place.set] === place.way}
                      mark={isMarked ? event.outcome : null}
                      dim={entry !== null && isHidden(entry, shown)}
                      // The mark takes the place of the digits.
                      {...(isMarked && phone && box.width < MARK_BESIDE
                        ? { label: "" }
                        : {})}
                      {...(labelOf && entry
                        ? {
                            label: labelOf(
                              entry.key,
                              entry.keyShift,
                              box.width,
                            ),
                          }
                        : {})}
                    />
                    {isMarked && phone ? (
                      <GlyphMark
                        outcome={event.outcome}
                        x={
                          box.width < MARK_BESIDE
                            ? box.x + box.width / 2
                            : box.x + 12
                        }
                        y={box.y + box.height / 2}
                        size={9}
                      />
                    ) : null}
                  </g>
                  <rect
                    {...box}
                    className="tlb-slot"
                    {...slotPlaces(view.role, event, place.set, isMarked)}
                    {...keys.cell(column, row)}
                    data-flight={isMarked ? view.role : undefined}
                    onClick={() => {
                      setCursor({ column, row });
                      onPick(place.set, place.way);
                    }}
                    onPointerEnter={(pointer) => {
                      if (entry)
                        show(pointer.currentTarget, entryTip(entry), "corner");
                    }}
                    onPointerLeave={hide}
                    aria-selected={
                      (guess !== null && isGuess(place, guess)) || undefined
                    }
                    aria-label={slotText(place, entry)}
                  />
                </Fragment>
              );
            })}
          </g>
        ))}
        {event.set !== null && fold === 1 && sets > 1 ? (
          <rect
            className="lit-frame"
            {...arrayPlaces(view.role, "set")}
            x={Math.max(gutter + event.set * pitch - 7, -4)}
            y={1}
            width={pitch + 11}
            height={bottom + 2}
            rx={6}
          />
        ) : null}
        {marked ? (
          <LitSlot
            role={view.role}
            {...positionOf(layout, marked.set, marked.way)}
            {...{ gutter, pitch, top, pitchY }}
          />
        ) : null}
        {event.removed.map(({ set, way }, at) => (
          <RemovedOutline
            key={at}
            {...positionOf(layout, set, way)}
            {...{ gutter, pitch, top, pitchY }}
          />
        ))}
        {marked && tick ? (
          <path
            className={`tlb-tick stroke-${event.outcome}`}
            d={`M${gutter + (marked.set + 0.5) * pitch - GAP / 2} ${bottom + 2}v8`}
          />
        ) : null}
        {outlined === null ? null : (
          <SetOutline set={outlined} {...{ gutter, pitch, top, bottom }} />
        )}
        {guess === null ? null : guess.way === null ? (
          <SetOutline
            set={guess.set}
            isGuess
            {...{ gutter, pitch: fold * pitch, top, bottom }}
          />
        ) : (
          <PickedOutline
            {...positionOf(layout, guess.set, guess.way)}
            isGuess
            {...{ gutter, pitch, top, pitchY }}
          />
        )}
        {picked?.way !== null && picked?.way !== undefined ? (
          <PickedOutline
            {...positionOf(layout, picked.set, picked.way)}
            {...{ gutter, pitch, top, pitchY }}
          />
        ) : null}
        {keys.focused ? (
          <rect
            className="tlb-cursor"
            x={gutter + cursor.column * pitch - 2}
            y={top + cursor.row * pitchY - 2}
            width={pitch + 1}
            height={pitchY + 1}
            rx={3}
          />
        ) : null}
      </svg>
      {tip}
    </div>
  );
}

/** A slot in words, for screen readers. */
function slotText(
  { set, way }: { readonly set: number; readonly way: number },
  entry: ArrayEntry | null,
): string {
  const held = entry ? `page ${hex(entry.key)}` : "empty";
  return `set ${set} way ${way}, ${held}`;
}

/** Returns whether a slot belongs to what a reader expects. */
function isGuess(
  { set, way }: { readonly set: number; readonly way: number },
  guess: Place | null,
): boolean {
  return guess?.set === set && (guess.way ?? way) === way;
}

interface SetOutlineProps {
  readonly set: number;
  readonly isGuess?: boolean;
  readonly gutter: number;
  /** The width of a set. */
  readonly pitch: number;
  readonly top: number;
  readonly bottom: number;
}

function SetOutline(props: SetOutlineProps) {
  const { set, isGuess = false, gutter, pitch, top, bottom } = props;
  return (
    <rect
      className={isGuess ? "tlb-set tlb-guess" : "tlb-set"}
      x={gutter + set * pitch - 4}
      y={top - 4}
      width={pitch + 5}
      height={bottom - top + 5}
      rx={4}
    />
  );
}

interface PickedOutlineProps {
  readonly column: number;
  readonly row: number;
  readonly gutter: number;
  readonly pitch: number;
  readonly top: number;
  readonly pitchY: number;
}

/** Frames the slot that hit or was filled while its words are pointed at. */
function LitSlot({
  role,
  column,
  row,
  gutter,
  pitch,
  top,
  pitchY,
}: PickedOutlineProps & { readonly role: StructureRole }) {
  return (
    <rect
      className="lit-frame"
      {...arrayPlaces(role, "entry")}
      x={gutter + column * pitch - 3}
      y={top + row * pitchY - 3}
      width={pitch - GAP + 6}
      height={pitchY + 3}
      rx={4}
    />
  );
}

/** A dashed outline around a slot whose entry was removed. */
function RemovedOutline({
  column,
  row,
  gutter,
  pitch,
  top,
  pitchY,
}: PickedOutlineProps) {
  return (
    <rect
      className="tlb-gone"
      x={gutter + column * pitch}
      y={top + row * pitchY}
      width={pitch - GAP}
      height={pitchY - 3}
      rx={2}
    />
  );
}

function PickedOutline({
  column,
  row,
  gutter,
  pitch,
  top,
  pitchY,
  isGuess = false,
}: PickedOutlineProps & { readonly isGuess?: boolean }) {
  return (
    <rect
      className={isGuess ? "tlb-picked tlb-guess" : "tlb-picked"}
      x={gutter + column * pitch - 1}
      y={top + row * pitchY - 1}
      width={pitch - 1}
      height={pitchY - 1}
      rx={3}
    />
  );
}

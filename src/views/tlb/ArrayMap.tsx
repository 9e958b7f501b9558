/**
 * A large array as a map without text: columns are sets, rows are ways. One set is opened below it: the
 * access's own, or the one that the user chose.
 */
import { useRef } from "react";
import { counted } from "../../model/shared/format";
import { ageScale, entryAt, positionOf } from "../../model/tlb/array";
import { mapHeight, tlbScale } from "../../model/tlb/heights";
import type { CssPixels } from "../../model/shared/units";
import { useSize } from "../shared/useSize";
import type { ArrayPicture } from "./arrayPicture";
import { EventLine } from "./EventLine";
import { MapAxes } from "./MapAxes";
import { MapCanvas } from "./MapCanvas";
import { Rivals } from "./Rivals";
import { SetStrip } from "./SetStrip";

export interface ArrayMapProps extends ArrayPicture {
  /** Whether the map has the panel to itself. */
  readonly tall: boolean;
  readonly phone: boolean;
  /** Opens no set until the user chooses one. */
  readonly closed: boolean;
  /** The greatest height if the map shares the panel. */
  readonly most: CssPixels;
}

const GUTTER: CssPixels = 44;
/** The number of ways opened at a time; a larger set opens in pieces. */
const PIECE = 16;

/** The height of a map that has the panel to itself. */
function tallHeight(rows: number, width: CssPixels): CssPixels {
  return Math.round(Math.min(Math.max(rows * 12, 120), 220) * tlbScale(width));
}

export function ArrayMap(props: ArrayMapProps) {
  const {
    view,
    content,
    layout,
    event,
    picked,
    onPick,
    tall,
    phone,
    closed,
    most,
  } = props;
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame, { width: 680, height: 80 });
  const gutter = phone ? 0 : GUTTER;
  const width = Math.max(size.width - gutter, 200);
  const height = tall
    ? tallHeight(layout.rows, size.width)
    : mapHeight(layout.rows, most);

  const isOpen = event.set !== null || picked !== null;
  const set = picked?.set ?? event.set ?? 0;
  const way = picked?.way ?? event.way ?? 0;
  const pieces = Math.ceil(view.ways / PIECE);
  const piece = Math.floor(way / PIECE);
  const used = Array.from({ length: view.ways }, (_, at) =>
    entryAt(content, view.ways, set, at),
  ).filter((entry) => entry !== null).length;
  // If a set takes many columns, only the one with the current way is framed.
  const column = layout.fold === 1 ? set : positionOf(layout, set, way).column;
  const x = (at: number) => gutter + (at / layout.columns) * width;
  return (
    <div className={phone ? "tlb-map tlb-map-bare" : "tlb-map"} ref={frame}>
      <MapCanvas
        {...props}
        width={width}
        height={height}
        gutter={gutter}
        part={set * pieces + piece}
        parts={view.sets * pieces}
        text={`set ${set}: ${used} of ${counted(view.ways, "way")} in use`}
        onPart={(part) =>
          onPick(
            Math.floor(part / pieces),
            pieces > 1 ? (part % pieces) * PIECE : null,
          )
        }
      />
      <MapAxes
        view={view}
        layout={layout}
        width={gutter + width}
        gutter={gutter}
        height={height}
        framed={isOpen ? column : null}
      />
      {phone ? null : isOpen ? (
        <>
          {closed && picked === null ? (
            <div className="tlb-map-numbers" />
          ) : (
            <SetStrip
              {...props}
              set={set}
              from={piece * PIECE}
              to={Math.min((piece + 1) * PIECE, view.ways)}
              age={ageScale(content)}
              left={x(column)}
              right={x(column + 1)}
              gutter={gutter}
              width={gutter + width}
            />
          )}
          <EventLine {...props} titled named />
          {tall && view.sets > 1 ? (
            <p className="tlb-pages">
              <Rivals content={content} ways={view.ways} set={set} />
            </p>
          ) : null}
        </>
      ) : (
        <p className="tlb-none">
          {event.what === "other-size"
            ? "looked up with the others, but holds no pages of this size"
            : "this access did not look here"}
          ; choose a set to open it
        </p>
      )}
    </div>
  );
}

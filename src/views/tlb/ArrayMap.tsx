/**
 * A large array as a map without text: columns are sets, rows are ways. One set is opened below:
 * the one that the access belongs to, or the one that the user chose.
 */
import { useRef } from "react";
import { ageScale, entryAt, positionOf } from "../../model/tlb";
import type { CssPixels } from "../../model/units";
import { useSize } from "../shared/useSize";
import type { ArrayPicture } from "./arrayPicture";
import { MapAxes } from "./MapAxes";
import { MapCanvas } from "./MapCanvas";
import { Rivals } from "./Rivals";
import { SetStrip } from "./SetStrip";

export interface ArrayMapProps extends ArrayPicture {
  /** The map has the panel to itself. */
  readonly tall: boolean;
  readonly phone: boolean;
}

const GUTTER: CssPixels = 44;
/** Ways that are opened at a time: a set of more is opened in pieces. */
const PIECE = 16;

/** A band: rows of 6.6 pixels, more where the panel is wide or belongs to the map alone. */
function mapHeight(rows: number, width: CssPixels, tall: boolean): CssPixels {
  const scale = Math.min(Math.max(width / 680, 1), 1.5);
  const [row, least, most] = tall ? [12, 120, 220] : [6.6, 48, 80];
  return Math.round(Math.min(Math.max(rows * row, least), most) * scale);
}

export function ArrayMap(props: ArrayMapProps) {
  const { view, content, layout, event, picked, onPick, tall, phone } = props;
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame, { width: 680, height: 80 });
  const gutter = phone ? 0 : GUTTER;
  const width = Math.max(size.width - gutter, 200);
  const height = mapHeight(layout.rows, size.width, tall);

  const isOpen = event.set !== null || picked !== null;
  const set = picked?.set ?? event.set ?? 0;
  const way = picked?.way ?? event.way ?? 0;
  const pieces = Math.ceil(view.ways / PIECE);
  const piece = Math.floor(way / PIECE);
  const used = Array.from({ length: view.ways }, (_, at) =>
    entryAt(content, view.ways, set, at),
  ).filter((entry) => entry !== null).length;
  // A set that takes many columns is framed where the way in question is.
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
        text={`set ${set}: ${used} of ${view.ways} ways in use`}
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
          {tall && view.sets > 1 ? (
            <p className="tlb-pages">
              <Rivals content={content} ways={view.ways} set={set} />
            </p>
          ) : null}
        </>
      ) : (
        <p className="tlb-none">
          {event.what === "other-size"
            ? "asked with the others: it holds no pages of this size"
            : "not asked by this access"}
          ; choose a set to open it
        </p>
      )}
    </div>
  );
}

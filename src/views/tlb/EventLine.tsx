/** What the access did to an array, in words: who came, who left, or who was found. */
import { count, counted } from "../../model/format";
import { entryAt, keyLabel } from "../../model/tlb";
import { setFormula } from "../../model/tlbSet";
import { Glyph } from "../shared/Glyph";
import type { ArrayEvent } from "../../model/tlbEvent";
import type { ArrayPicture } from "./arrayPicture";

export interface EventLineProps extends ArrayPicture {
  /** The formula stands in the title already. */
  readonly titled: boolean;
  readonly phone: boolean;
  /** Where the set stands, as a CSS length; the words go below it. */
  readonly below?: string | null;
}

const DIGITS = 5;
const label = (key: string) => keyLabel(BigInt(key), DIGITS);

export function EventLine({
  view,
  content,
  event,
  titled,
  phone,
  below = null,
}: EventLineProps) {
  const key = event.lookup?.key ?? event.fill?.key ?? null;
  return (
    <div
      className={below === null ? "tlb-event" : "tlb-event tlb-event-below"}
      // Below the set, but clear of the rule at the left and inside the panel at the right.
      style={
        below === null
          ? undefined
          : {
              paddingInlineStart: `clamp(14rem, ${below}, 100% - 24.5rem)`,
            }
      }
    >
      {titled || phone ? null : (
        <span className="tlb-rule">{setFormula(view, key)}</span>
      )}
      <What view={view} content={content} event={event} />
    </div>
  );
}

function What({
  view,
  content,
  event,
}: Pick<EventLineProps, "view" | "content" | "event">) {
  const { what, fill, lookup, outcome, set, way } = event;
  if (what === "fill" && fill) {
    const { evicted } = fill;
    return (
      <>
        <span className={`ink-${outcome}`}>
          <Glyph outcome={outcome} /> <b>in</b>
        </span>
        <span>
          <code>{label(fill.key)}</code> to way {fill.way}
        </span>
        {evicted ? (
          <>
            <span>
              <b>out</b> <code>{label(evicted.key)}</code>
            </span>
            <span className="quiet">
              filled at {count(evicted.filled_at)},{" "}
              {counted(evicted.hits, "hit")}
            </span>
          </>
        ) : (
          <span className="quiet">the way was empty</span>
        )}
      </>
    );
  }
  if (what === "hit" && lookup && set !== null && way !== null) {
    const entry = entryAt(content, view.ways, set, way);
    return (
      <>
        <span className={`ink-${outcome}`}>
          <Glyph outcome={outcome} /> <b>hit</b>
        </span>
        <span>
          <code>{label(lookup.key)}</code> in way {way}
        </span>
        {entry ? (
          <span className="quiet">
            filled at {count(entry.filledAt)}, {counted(entry.hits, "hit")}
          </span>
        ) : null}
      </>
    );
  }
  return <span className="quiet">{NOTHING[what]}</span>;
}

/** Where nothing moved. */
const NOTHING: Readonly<Record<ArrayEvent["what"], string>> = {
  "not-asked": "not asked by this access",
  "other-size": "asked with the others: it holds no pages of this size",
  miss: "asked: the page is not here",
  hit: "the page is here",
  fill: "the page came here",
};

/** What the access did to an array, in words: the entry that was filled, evicted or hit. */
import type { CSSProperties } from "react";
import { counted } from "../../model/shared/format";
import { hex } from "../../model/shared/hex";
import { entryAt, keyLabel } from "../../model/tlb/array";
import { setFormula } from "../../model/tlb/set";
import { Glyph } from "../shared/Glyph";
import { Term } from "../shared/terms/Term";
import type { ArrayEvent } from "../../model/tlb/event";
import type { ArrayPicture } from "./arrayPicture";
import { Came } from "./Came";
import { arrayPlaces } from "./objects";

export interface EventLineProps extends ArrayPicture {
  /** Whether a title above already shows the formula. */
  readonly titled: boolean;
  readonly phone: boolean;
  /** The position of the set, as a CSS length; the words are below it. */
  readonly below?: string | null;
  /** Whether the words must name the set, because it is hard to see above. */
  readonly named?: boolean;
  /** The text of a key, by default its last digits. */
  readonly labelOf?: (key: bigint, keyShift: number) => string;
}

const DIGITS = 5;
const lastDigits = (key: bigint) => keyLabel(key, DIGITS);

export function EventLine({
  view,
  content,
  event,
  titled,
  phone,
  below = null,
  named = false,
  labelOf = lastDigits,
}: EventLineProps) {
  const key =
    event.lookup?.key ??
    event.fill?.key ??
    (event.faulted === null ? null : hex(event.faulted));
  return (
    <div
      className={below === null ? "tlb-event" : "tlb-event tlb-event-below"}
      // Below the set, but right of the formula and inside the panel.
      style={below === null ? undefined : belowSet(below)}
    >
      {titled || phone ? null : (
        <span className="tlb-rule">{setFormula(view, key)}</span>
      )}
      <RemovedWords event={event} sets={view.sets} labelOf={labelOf} />
      <What
        view={view}
        content={content}
        event={event}
        named={named && view.sets > 1}
        labelOf={labelOf}
      />
      {event.others.length > 0 ? (
        <span className="quiet">
          and {counted(event.others.length, "other entry", "other entries")}
        </span>
      ) : null}
    </div>
  );
}

/** The position of the words, for the style sheet: React's type has no custom properties. */
function belowSet(below: string): CSSProperties {
  return { "--below": `calc(${below})` } as CSSProperties;
}

/**
 * The first entry that was invalidated or removed for another reason, and the number of others. The band above
 * the pictures names the operations, so only the tip names them here.
 */
function RemovedWords({
  event: { removed },
  sets,
  labelOf,
}: Pick<WhatProps, "event" | "labelOf"> & { readonly sets: number }) {
  const [first] = removed;
  if (!first) return null;
  const where =
    sets > 1 ? `set ${first.set} way ${first.way}` : `way ${first.way}`;
  const others =
    removed.length > 1 ? ` and ${counted(removed.length - 1, "other")}` : "";
  return (
    <span title={removed.map(({ key, why }) => `${key}: ${why}`).join("\n")}>
      <b>removed</b> <code>{labelOf(BigInt(first.key), first.keyShift)}</code>{" "}
      from {where}
      {others}
      {first.isOperation ? null : (
        <>
          {" "}
          <span className="quiet">{first.why}</span>
        </>
      )}
    </span>
  );
}

type WhatProps = Required<
  Pick<EventLineProps, "view" | "content" | "event" | "named" | "labelOf">
>;

function What({ view, content, event, named, labelOf }: WhatProps) {
  const { what, fill, lookup, outcome, set, way } = event;
  const inSet = named && set !== null ? `set ${set} ` : "";
  const label = ({ key, key_shift }: Keyed) => (
    <code title={key}>{labelOf(BigInt(key), key_shift)}</code>
  );
  if (what === "fill" && fill) {
    const { evicted } = fill;
    return (
      <>
        <span className={`ink-${outcome}`}>
          <Glyph outcome={outcome} />{" "}
          <b>
            <Term term="fill">fill</Term>
          </b>
        </span>
        <span>
          {label(fill)} to {inSet}way {fill.way}
        </span>
        {evicted ? (
          <>
            <span {...arrayPlaces(view.role, "victim")}>
              <b>
                <Term term="evict">evict</Term>
              </b>{" "}
              {label(evicted)}
            </span>
            <span className="quiet tlb-came">
              <Came
                entryKey={BigInt(evicted.key)}
                filledAt={evicted.filled_at}
                hits={evicted.hits}
              />
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
          <Glyph outcome={outcome} />{" "}
          <b>
            <Term term="hit">hit</Term>
          </b>
        </span>
        <span>
          {label(lookup)} in {inSet}way {way}
        </span>
        {entry ? (
          <span className="quiet tlb-came">
            <Came
              entryKey={entry.key}
              filledAt={entry.filledAt}
              hits={entry.hits}
            />
          </span>
        ) : null}
      </>
    );
  }
  if (what === "page-fault" && event.faulted !== null) {
    const { faulted, removed } = event;
    // An operation before the access had removed its entry.
    const hadEntry = removed.some(
      ({ key, isOperation }) => !isOperation && BigInt(key) === faulted,
    );
    return (
      <>
        <span className={`ink-${outcome}`}>
          <Glyph outcome={outcome} />{" "}
          <b>{hadEntry ? "denied" : <Term term="miss">miss</Term>}</b>
        </span>
        <span>
          {inSet}
          {hadEntry ? "the entry of page " : "no entry of page "}
          <code>{hex(faulted)}</code>
          {hadEntry ? " lacked the right" : null}
        </span>
        <span className="quiet">not in the counts: the access ended</span>
      </>
    );
  }
  return <span className="quiet">{NOTHING[what]}</span>;
}

/** Anything with a key: a lookup, a fill, an entry. */
interface Keyed {
  readonly key: string;
  readonly key_shift: number;
}

/** The words if the access changed nothing in the array. */
const NOTHING: Readonly<Record<ArrayEvent["what"], string>> = {
  "not-asked": "this access did not look here",
  "other-size": "looked up with the others, but holds no pages of this size",
  miss: "looked up: miss",
  hit: "looked up: hit",
  "page-fault": "looked up: page fault",
  fill: "filled",
};

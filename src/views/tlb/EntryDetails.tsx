/** Details of what the user picked: one entry, or all pages of a set. */
import type { MachineView } from "../../engine/generated/MachineView";
import { count, counted } from "../../model/shared/format";
import { sizeOfShift } from "../../model/shared/pageSizes";
import { hex } from "../../model/shared/hex";
import { entryAt, entryRange } from "../../model/tlb/array";
import type { ArrayColumns, ArrayEntry } from "../../model/tlb/array";
import { structureName } from "../../model/tlb/names";
import { Icon } from "../shared/Icon";
import { useIsGiven } from "./Came";
import type { Place } from "./place";
import { Rivals } from "./Rivals";

export interface EntryDetailsProps {
  readonly machine: MachineView;
  readonly columns: readonly ArrayColumns[];
  readonly place: Place;
  /** The edge of the panel at which it is shown. */
  readonly edge: "top" | "bottom";
  readonly onClose: () => void;
  readonly onSeek?: (index: number) => void;
}

export function EntryDetails({
  machine,
  columns,
  place,
  edge,
  onClose,
  onSeek,
}: EntryDetailsProps) {
  const view = machine.structures[place.structure];
  const content = columns[place.structure];
  if (!view || !content) return null;
  const name = structureName(machine, place.structure);
  const where = [
    view.sets > 1 ? `set ${place.set}` : "",
    place.way === null ? "" : `way ${place.way}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
  const entry =
    place.way === null
      ? null
      : entryAt(content, view.ways, place.set, place.way);
  return (
    <aside
      className={`tlb-details tlb-details-${edge}`}
      aria-label="Selected slot"
    >
      <div className="tlb-details-text">
        <b>
          {name} {where}
        </b>
        {entry ? (
          <OneEntry entry={entry} {...(onSeek ? { onSeek } : {})} />
        ) : place.way === null ? null : (
          <span>empty</span>
        )}
        {view.sets > 1 ? (
          <Rivals content={content} ways={view.ways} set={place.set} />
        ) : null}
      </div>
      <button type="button" aria-label="Close" onClick={onClose}>
        <Icon name="close" size={14} />
      </button>
    </aside>
  );
}

function OneEntry({
  entry,
  onSeek,
}: {
  readonly entry: ArrayEntry;
  readonly onSeek?: (index: number) => void;
}) {
  const { first, last } = entryRange(entry);
  const isGiven = useIsGiven();
  return (
    <>
      <span>
        {entry.guestPhysical
          ? `${sizeOfShift(entry.keyShift)} page of the host, guest-physical`
          : entry.table
            ? "page-table entry"
            : `${sizeOfShift(entry.keyShift)} page`}{" "}
        <code>{hex(entry.key)}</code>
      </span>
      <span>
        <code>
          {first} – {last}
        </code>
      </span>
      {isGiven(entry.key, entry.filledAt) ? (
        <span>given before the trace</span>
      ) : (
        <span>
          came at access{" "}
          <When at={entry.filledAt} {...(onSeek ? { onSeek } : {})} />
        </span>
      )}
      <span>
        used at <When at={entry.usedAt} {...(onSeek ? { onSeek } : {})} />
      </span>
      <span>{counted(entry.hits, "hit")}</span>
      {entry.prefetched ? <span>prefetched, not used yet</span> : null}
    </>
  );
}

function When({
  at,
  onSeek,
}: {
  readonly at: number;
  readonly onSeek?: (index: number) => void;
}) {
  return onSeek ? (
    <button type="button" className="tlb-seek" onClick={() => onSeek(at)}>
      {count(at)}
    </button>
  ) : (
    <>{count(at)}</>
  );
}

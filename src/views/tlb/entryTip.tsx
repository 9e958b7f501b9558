import { count } from "../../model/shared/format";
import { sizeOfShift } from "../../model/shared/pageSizes";
import { hex } from "../../model/shared/hex";
import { entryRange } from "../../model/tlb/array";
import type { ArrayEntry } from "../../model/tlb/array";
import { Came } from "./Came";

/** The tooltip of an entry. */
export function entryTip(entry: ArrayEntry) {
  const { first, last } = entryRange(entry);
  const isTable = entry.table && !entry.guestPhysical;
  return (
    <>
      <p className="tip-title tlb-mono">
        {isTable ? "entry of" : "page"} {hex(entry.key)}
      </p>
      <p className="tip-note tlb-mono">
        {first} – {last}
      </p>
      <p className="tip-note">
        {isTable ? "page-table entry" : sizeOfShift(entry.keyShift)}
        {entry.guestPhysical ? " guest-physical" : ""}, set {entry.set} way{" "}
        {entry.way}
      </p>
      <p className="tip-note">
        <Came
          entryKey={entry.key}
          filledAt={entry.filledAt}
          hits={entry.hits}
        />
        , last use began at {count(entry.usedAt)}
      </p>
    </>
  );
}

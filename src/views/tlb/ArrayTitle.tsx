/** Name, shape and use of an array, its page sizes as filters, and how a page selects its set. */
import type { MachineView } from "../../engine/generated/MachineView";
import { count, counted, pageSize } from "../../model/shared/format";
import { structureName } from "../../model/tlb/names";
import { setFormula } from "../../model/tlb/set";
import { pageSizeToken } from "../../model/shared/theme";
import { otherSlots } from "../../model/tlb/array";
import type { ArrayColumns } from "../../model/tlb/array";
import { shapeOf } from "../../model/tlb/tabs";
import type { ArrayEvent } from "../../model/tlb/event";
import { arrayPlaces } from "./objects";

/** What is drawn: everything, one page size by its shift, or the entries that translate no page of the program. */
export type Shown = "all" | "table" | number;

export interface ArrayTitleProps {
  readonly machine: MachineView;
  readonly structure: number;
  readonly content: ArrayColumns;
  readonly used: number;
  readonly event: ArrayEvent;
  readonly shown: Shown;
  readonly onShown: (shown: Shown) => void;
  readonly short: boolean;
}

export function ArrayTitle({
  machine,
  structure,
  content,
  used,
  event,
  shown,
  onShown,
  short,
}: ArrayTitleProps) {
  const view = machine.structures[structure];
  if (!view) return null;
  const { sets, ways, pages } = view;
  const others = otherSlots(content);
  const hasHost = content.table.includes(3);
  // The heading shows name and shape, so without filters nothing is left to show.
  if (short && pages.length <= 1 && others === 0) return null;
  const toggle = (value: Shown) => onShown(shown === value ? "all" : value);
  return (
    <div className="tlb-title">
      {short ? null : (
        <b {...arrayPlaces(view.role, "array")}>
          {structureName(machine, structure)}
        </b>
      )}
      {short ? null : <span>{shapeOf(view)}</span>}
      {pages.length > 1 || others > 0
        ? pages.map((page) => {
            const rank = machine.page_sizes.indexOf(page);
            const shift = shiftOf(page);
            return (
              <button
                key={page}
                type="button"
                className="tlb-size"
                aria-pressed={shown === shift}
                title={`Show only ${page} pages`}
                onClick={() => toggle(shift)}
              >
                <PageMark rank={rank} /> {page}
              </button>
            );
          })
        : null}
      {others > 0 ? (
        <button
          type="button"
          className="tlb-size"
          aria-pressed={shown === "table"}
          title={`Show only ${hasHost ? "page-table entries and a host’s pages" : "page-table entries"}, which compete with translations here`}
          onClick={() => toggle("table")}
        >
          <i className="tlb-hollow" aria-hidden="true" />{" "}
          {hasHost
            ? counted(others, "other entry", "other entries")
            : counted(others, "table entry", "table entries")}
        </button>
      ) : null}
      {short ? null : (
        <span>
          {count(used)} of {count(sets * ways)} in use
        </span>
      )}
      {short ? null : (
        <span className="tlb-formula">
          {setFormula(view, event.lookup?.key ?? event.fill?.key ?? null)}
        </span>
      )}
    </div>
  );
}

/** The shift of a page size as text: `4K` is 12. */
function shiftOf(page: string): number {
  for (let shift = 0; shift < 60; shift++)
    if (pageSize(shift) === page) return shift;
  return 0;
}

export interface PageMarkProps {
  /** The index of the page size in the machine's sizes, smallest first. */
  readonly rank: number;
}

/** A square that grows with the page size. */
export function PageMark({ rank }: PageMarkProps) {
  const side = 5 + 2 * Math.min(Math.max(rank, 0), 2);
  return (
    <svg className="tlb-page-mark" width="9" height="9" aria-hidden="true">
      <rect
        x={(9 - side) / 2}
        y={(9 - side) / 2}
        width={side}
        height={side}
        fill={`var(${pageSizeToken(rank)})`}
      />
    </svg>
  );
}

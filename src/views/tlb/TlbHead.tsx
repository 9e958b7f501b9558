/** Title, tabs with how full each array is, and the legend; a menu instead of tabs on a narrow screen. */
import type { KeyboardEvent } from "react";
import { count } from "../../model/format";
import { AGE } from "../../model/theme";
import type { TlbTab } from "../../model/tlbTabs";
import { LegendItem, Ramp } from "../shared/Legend";

export interface TlbHeadProps {
  readonly tabs: readonly TlbTab[];
  readonly selected: number;
  /** The user picked the tab; otherwise it follows the access. */
  readonly pinned: boolean;
  readonly phone: boolean;
  /** `null` follows the access again. */
  readonly onSelect: (structures: readonly number[] | null) => void;
}

/** With more tabs than this only the selected one says how full it is. */
const ROOMY = 5;

export function TlbHead({
  tabs,
  selected,
  pinned,
  phone,
  onSelect,
}: TlbHeadProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const last = tabs.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: selected === 0 ? last : selected - 1,
      ArrowRight: selected === last ? 0 : selected + 1,
      Home: 0,
      End: last,
    };
    const to = targets[event.key];
    const tab = to === undefined ? undefined : tabs[to];
    if (to === undefined || !tab) {
      if (event.key !== "Escape" || !pinned) return;
      onSelect(null);
    } else {
      onSelect(tab.structures);
      // The focus moves with the selection, as tabs do.
      const list =
        event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]");
      list[to]?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const follow = pinned ? (
    <button
      type="button"
      className="tlb-follow"
      title="Show the array that each access uses"
      onClick={() => onSelect(null)}
    >
      follow
    </button>
  ) : null;
  if (phone)
    return (
      <header className="tlb-head">
        <h2 id="tlb-title">TLB</h2>
        <span className="tlb-space" />
        {follow}
        <select
          aria-label="Structure"
          value={selected}
          onChange={(event) => {
            const tab = tabs[Number(event.target.value)];
            if (tab) onSelect(tab.structures);
          }}
        >
          {tabs.map((tab, at) => (
            <option key={tab.structures[0]} value={at}>
              {tab.label} {count(tab.used)}/{count(tab.total)}
            </option>
          ))}
        </select>
      </header>
    );
  return (
    <header className="tlb-head">
      <h2 id="tlb-title">TLB</h2>
      <div
        className="tlb-tabs"
        role="tablist"
        tabIndex={-1}
        aria-label="Structures"
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab, at) => (
          <button
            key={tab.structures[0]}
            type="button"
            role="tab"
            aria-selected={at === selected}
            aria-controls="tlb-panel"
            tabIndex={at === selected ? 0 : -1}
            title={`${count(tab.used)} of ${count(tab.total)} entries in use`}
            onClick={() => onSelect(tab.structures)}
          >
            {tab.label}
            {tabs.length <= ROOMY || at === selected ? (
              <span className="tlb-fill">
                {count(tab.used)}/{count(tab.total)}
              </span>
            ) : null}
          </button>
        ))}
      </div>
      {follow}
      <span className="tlb-space" />
      <span
        className="tlb-legend"
        title="Age: quarters of the array's entries, by when they were used last"
      >
        <LegendItem>
          <Ramp tokens={AGE} />
          age
        </LegendItem>
        <LegendItem>
          <svg width="9" height="9" aria-hidden="true">
            <path d="M9 1v8H1z" fill="var(--text-2)" />
          </svg>
          next out
        </LegendItem>
      </span>
    </header>
  );
}

/** Title, tabs with the use of each array, and the legend; a menu if the tabs do not fit. */
import { useContext, useEffect, useRef } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { count, counted } from "../../model/shared/format";
import type { TlbTab } from "../../model/tlb/tabs";
import type { CssPixels } from "../../model/shared/units";
import { Term } from "../shared/terms/Term";
import type { Places } from "../shared/terms/places";
import { TraceTag, TraceTagContext } from "../shared/TraceTag";
import { CorePicker, followText } from "./CorePicker";
import type { CoreControl } from "./CorePicker";
import { TlbLegend } from "./TlbLegend";

export interface TlbHeadProps {
  /** The prefix of the ids of the title and of the tab panel. */
  readonly id: string;
  readonly tabs: readonly TlbTab[];
  readonly selected: number;
  /** By tab: its place in the sentence of the access. */
  readonly places: readonly Places[];
  /** By tab: how many entries operations invalidated. */
  readonly losses: readonly number[];
  /** Whether the user picked the tab; otherwise it follows the access. */
  readonly pinned: boolean;
  readonly phone: boolean;
  /** The name of the core, `thread 41`; empty if there is only one. */
  readonly core: string;
  /** Other cores that can be shown. */
  readonly cores?: CoreControl | undefined;
  /** The width of the head without its padding. */
  readonly width: CssPixels;
  /** The button that saves the picture. */
  readonly save: ReactNode;
  /** Selects a tab; `null` follows the access again. */
  readonly onSelect: (structures: readonly number[] | null) => void;
}

const uses = ({ used, total }: TlbTab) => `${count(used)}/${count(total)}`;

/** Estimated width of the tabs in pixels. `all` shows the use of every tab, not only of the selected one. */
function tabsWidth(
  tabs: readonly TlbTab[],
  selected: number,
  all: boolean,
  losses: readonly number[],
): number {
  return tabs.reduce(
    (sum, tab, at) =>
      sum +
      16 +
      tab.label.length * 6.4 +
      (losses[at] ? 32 : 0) +
      (all || at === selected ? 6 + uses(tab).length * 6.7 : 0),
    0,
  );
}

/** The most space for tabs next to the title, with and without the legend. */
const ROOM = 640;
const LEGEND = 160;
const SAVE = 28;
const FOLLOW = 60;
/** Estimated width of the completeness tag. */
const TAG = 130;

/** Estimated width of the choice of a core. */
function coreWidth(core: string): CssPixels {
  return core === "" ? 0 : followText(core).length * 6.4 + 36;
}

/** Width of the title, and of the button of the folded legend. */
const TITLE = 36;
const FOLDED = 30;

/** Computed for the widest tab, so that the menu comes and goes with operations only, not with each access. */
function fits({ tabs, losses, width }: TlbHeadProps, tag: CssPixels): boolean {
  const widest = Math.max(
    ...tabs.map((_, at) => tabsWidth(tabs, at, false, losses)),
  );
  return widest + TITLE + tag + FOLDED + FOLLOW + SAVE <= width;
}

export function TlbHead(props: TlbHeadProps) {
  const tag = (useContext(TraceTagContext) ? TAG : 0) + coreWidth(props.core);
  return props.phone || !fits(props, tag) ? (
    <Menu {...props} />
  ) : (
    <Tabs {...props} />
  );
}

function Tabs(props: TlbHeadProps) {
  const { id, tabs, selected, places, losses, pinned, width } = props;
  const { core, cores, save, onSelect } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.children[selected];
    if (!list.current || !(tab instanceof HTMLElement)) return;
    // Scrolls only the row of tabs, not the page around it.
    const { offsetLeft, offsetWidth } = tab;
    const { scrollLeft, clientWidth } = list.current;
    const start = list.current.offsetLeft;
    if (offsetLeft - start < scrollLeft)
      list.current.scrollLeft = offsetLeft - start;
    else if (offsetLeft - start + offsetWidth > scrollLeft + clientWidth)
      list.current.scrollLeft = offsetLeft - start + offsetWidth - clientWidth;
  }, [selected]);

  const tag = (useContext(TraceTagContext) ? TAG : 0) + coreWidth(core);
  const room =
    Math.min(ROOM, width - TITLE) - SAVE - tag - (pinned ? FOLLOW : 0);
  const all = tabsWidth(tabs, selected, true, losses) <= room - LEGEND;
  const folded = tabsWidth(tabs, selected, all, losses) > room - LEGEND;
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
      // Focus moves with the selection, as in all tabs.
      const next = list.current?.children[to];
      if (next instanceof HTMLElement) next.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <header className="tlb-head">
      <h2 id={`${id}-title`}>
        <Term term="tlb">TLB</Term>
        <OfCore core={core} cores={cores} />
      </h2>
      <Picker core={core} cores={cores} />
      <TraceTag />
      <div
        ref={list}
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
            {...places[at]}
            aria-controls={`${id}-panel`}
            tabIndex={at === selected ? 0 : -1}
            title={`${tab.label}: ${count(tab.used)} of ${counted(tab.total, "entry", "entries")} in use`}
            onClick={() => onSelect(tab.structures)}
          >
            {tab.label}
            {all || at === selected ? (
              <span className="tlb-fill">{uses(tab)}</span>
            ) : null}
            <Loss n={losses[at] ?? 0} />
          </button>
        ))}
      </div>
      {pinned ? <Follow onFollow={() => onSelect(null)} /> : null}
      <span className="tlb-space" />
      <TlbLegend folded={folded} />
      {save}
    </header>
  );
}

/**
 * Names the core that makes the access, since each core has its own TLBs. Used if no other core can be
 * chosen.
 */
function OfCore({ core, cores }: Pick<TlbHeadProps, "core" | "cores">) {
  return core === "" || canChoose(cores) ? null : (
    <span
      className="tlb-core"
      title="The core that makes this access; each core has its own TLBs and walk caches"
    >
      {" "}
      of {core}
    </span>
  );
}

function canChoose(cores: CoreControl | undefined): cores is CoreControl {
  return cores !== undefined && cores.choices.length > 0;
}

function Picker({ core, cores }: Pick<TlbHeadProps, "core" | "cores">) {
  return canChoose(cores) ? <CorePicker {...cores} core={core} /> : null;
}

/** The number of entries that operations invalidated: `−3`. */
function Loss({ n }: { readonly n: number }) {
  return n === 0 ? null : (
    <b
      className="tlb-loss"
      title={`${counted(n, "entry", "entries")} invalidated by operations`}
    >
      −{count(n)}
    </b>
  );
}

function Menu({
  id,
  tabs,
  selected,
  places,
  losses,
  pinned,
  phone,
  core,
  cores,
  save,
  onSelect,
}: TlbHeadProps) {
  const choice = (
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
          {tab.label} {uses(tab)}
          {losses[at] ? ` −${losses[at]}` : ""}
        </option>
      ))}
    </select>
  );
  // The menu says the title too. A phone, or a choice of cores, leaves room for only one.
  const isTitle = phone || canChoose(cores);
  return (
    <header className="tlb-head">
      <h2
        id={`${id}-title`}
        className={isTitle ? "visually-hidden" : undefined}
      >
        <span {...places[selected]}>{tabs[selected]?.label ?? "TLB"}</span>
        <OfCore core={core} cores={cores} />
      </h2>
      {isTitle ? choice : null}
      <Picker core={core} cores={cores} />
      <TraceTag />
      {phone ? (
        <span className="tlb-shape">{tabs[selected]?.shape}</span>
      ) : null}
      <span className="tlb-space" />
      {pinned ? <Follow onFollow={() => onSelect(null)} /> : null}
      {isTitle ? null : choice}
      {phone ? null : <TlbLegend folded />}
      {save}
    </header>
  );
}

function Follow({ onFollow }: { readonly onFollow: () => void }) {
  return (
    <button
      type="button"
      className="tlb-follow"
      title="Show the array that each access uses"
      onClick={onFollow}
    >
      follow
    </button>
  );
}

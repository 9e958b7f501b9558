/**
 * The TLB panel: a tab for every array of the machine and one for its walk caches. It shows the array that
 * the access used, until the user picks a tab (`pinned`). The second level is below a first-level array.
 * `onSeek` makes "filled at 10,681" a link.
 */
import { Suspense, lazy, useId, useRef, useState } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import { lossesOf } from "../../model/replay/effectMarks";
import type { ArrayColumns } from "../../model/tlb/array";
import { usedArray, usedSecondLevel } from "../../model/tlb/event";
import { noTranslation } from "../../model/replay/noTranslation";
import { bodyHeight, tlbHeights } from "../../model/tlb/heights";
import { isWalkCacheRole, tabOf, tlbTabs } from "../../model/tlb/tabs";
import { SavePicture } from "../shared/picture/SavePicture";
import { usePlain } from "../shared/plain";
import { useSize } from "../shared/useSize";
import { ArrayView } from "./ArrayView";
import type { OwnedPlace, Place } from "./place";
import { shownCore } from "./CorePicker";
import type { CoreControl } from "./CorePicker";
import { arrayPlaces } from "./objects";
import { TlbHead } from "./TlbHead";
import { WalkCaches } from "./WalkCaches";
import "./array.css";
import "./tlb.css";

/** It waits for a press. */
const EntryDetails = lazy(() =>
  import("./EntryDetails").then((module) => ({ default: module.EntryDetails })),
);

/** Only machines for research have TLB blocks. */
const Blocks = lazy(() =>
  import("./Blocks").then((module) => ({ default: module.Blocks })),
);

export interface TlbPanelProps {
  readonly machine: MachineView;
  readonly step: StepView;
  /** The contents by structure number. */
  readonly columns: readonly ArrayColumns[];
  /** The translation to show: 0, or 1 for the second page of a straddling access. */
  readonly which?: number;
  readonly phone?: boolean;
  /** For a low screen: the second level opens no set until the user chooses one. */
  readonly low?: boolean;
  /** Keeps the shown array while playing fast, instead of following each access. */
  readonly hold?: boolean;
  /**
   * The structures that the user picked; `null` follows the access. Without it, the panel keeps its own
   * choice.
   */
  readonly pinned?: number | null;
  readonly onPin?: (structure: number | null) => void;
  /** The name of the core, if there are several: `thread 41`. */
  readonly core?: string;
  /** Other cores that can be shown; `undefined` as choice follows the core of the access. */
  readonly cores?: CoreControl | undefined;
  /** What is picked, where the panel's owner keeps it. */
  readonly owned?: OwnedPlace;
  /** Moves the replay to an access. */
  readonly onSeek?: (index: number) => void;
}

export function TlbPanel({
  machine,
  step,
  columns,
  which = 0,
  phone = false,
  low = false,
  hold = false,
  pinned,
  onPin,
  core = "",
  cores,
  owned,
  onSeek,
}: TlbPanelProps) {
  const id = useId();
  const [ownPin, setOwnPin] = useState<number | null>(null);
  const [ownPlace, setOwnPlace] = useState<Place | null>(null);
  const place = owned ? owned.place : ownPlace;
  const setPlace = owned ? owned.onPlace : setOwnPlace;
  const [kept, setKept] = useState(0);
  const body = useRef<HTMLDivElement>(null);
  const { width } = useSize(body, { width: 688, height: 0 });
  const translation =
    step.translations[which] ?? step.translations[0] ?? noTranslation(step);

  const pin = pinned === undefined ? ownPin : pinned;
  const used = usedArray(translation, machine, step.access.kind);
  if (!hold && kept !== used) setKept(used);
  const structure = pin ?? (hold ? kept : used);
  const plain = usePlain();
  const tabs = tlbTabs(machine, step.in_use).filter(
    ({ structures: [first = 0] }) =>
      !plain ||
      !isWalkCacheRole(machine, first) ||
      // A link or the user chose it.
      isWalkCacheRole(machine, structure),
  );
  const tab = tabOf(tabs, structure);
  const shown = tabs[tab]?.structures ?? [];
  const role = machine.structures[structure]?.role;
  const second = usedSecondLevel(translation, machine, step.access.kind);
  const below = role !== "l1" || phone || plain ? null : second;
  const inSight = below === null ? shown : [...shown, below];
  const heights = tlbHeights(machine, width, low);
  const whose = shownCore(cores, core);
  const props = { machine, step, translation, columns, place, phone };
  return (
    <section
      className={phone ? "tlb tlb-phone" : "tlb"}
      aria-labelledby={`${id}-title`}
      data-picture=""
    >
      <TlbHead
        id={id}
        tabs={tabs}
        selected={tab}
        places={tabs.map(({ structures }) => {
          const named = structures.find((at) => at === used || at === second);
          const view =
            named === undefined ? undefined : machine.structures[named];
          return view ? arrayPlaces(view.role, "array") : {};
        })}
        losses={tabs.map(({ structures }) => lossesOf(step, structures))}
        pinned={pin !== null}
        phone={phone}
        core={core}
        cores={cores}
        width={width}
        save={
          <SavePicture
            what={`${tabs[tab]?.label ?? "TLB"}${whose && ` of ${whose}`} at access ${step.index}`}
            tables={[
              {
                csv: async () => {
                  const { tlbCsv } =
                    await import("../../model/replay/pictureCsv");
                  return tlbCsv(machine, columns, inSight, whose);
                },
              },
            ]}
          />
        }
        onSelect={(structures) => {
          const next = structures?.[0] ?? null;
          setOwnPin(next);
          onPin?.(next);
          setPlace(null);
        }}
      />
      <div
        className="tlb-body"
        ref={body}
        // The height is the same for all arrays of the machine, so nothing moves while the replay alternates
        // between them. A lesson shows one array.
        style={
          phone || owned
            ? undefined
            : {
                minHeight: bodyHeight(
                  plain ? { ...heights, second: 0 } : heights,
                ),
              }
        }
        id={`${id}-panel`}
        role="tabpanel"
        aria-label={tabs[tab]?.label}
      >
        {isWalkCacheRole(machine, structure) ? (
          <WalkCaches {...props} structures={shown} onPlace={setPlace} />
        ) : (
          <ArrayView
            {...props}
            structure={structure}
            guess={owned?.guess?.structure === structure ? owned.guess : null}
            chooses={owned?.chooses ?? null}
            titled={phone || role === "l2"}
            tall={below === null && !phone}
            heights={phone ? null : heights}
            onPlace={setPlace}
          />
        )}
        {below === null ? null : (
          <ArrayView
            {...props}
            structure={below}
            closed={low}
            titled
            heights={heights}
            onPlace={setPlace}
          />
        )}
        {translation.blocks ? (
          <Suspense>
            <Blocks blocks={translation.blocks} />
          </Suspense>
        ) : null}
        {place && !owned ? (
          <Suspense>
            <EntryDetails
              {...props}
              place={place}
              edge={place.structure === below ? "top" : "bottom"}
              onClose={() => setPlace(null)}
              {...(onSeek ? { onSeek } : {})}
            />
          </Suspense>
        ) : null}
      </div>
    </section>
  );
}

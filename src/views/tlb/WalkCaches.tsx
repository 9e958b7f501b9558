/** The walk caches, the deepest first: the key is the indices whose lookups a walk skips. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { count, counted } from "../../model/shared/format";
import { arrayLayout } from "../../model/tlb/array";
import type { ArrayColumns } from "../../model/tlb/array";
import { eventIn } from "../../model/tlb/event";
import { prefixLabel } from "../../model/tlb/prefix";
import { inWords, structureName } from "../../model/tlb/names";
import { shapeOf } from "../../model/tlb/tabs";
import { ArrayCells } from "./ArrayCells";
import { EventLine } from "./EventLine";
import type { Place } from "./place";

export interface WalkCachesProps {
  readonly machine: MachineView;
  readonly step: StepView;
  readonly translation: TranslationView;
  readonly columns: readonly ArrayColumns[];
  readonly structures: readonly number[];
  readonly place: Place | null;
  readonly onPlace: (place: Place | null) => void;
  readonly phone: boolean;
}

export function WalkCaches({
  machine,
  step,
  translation,
  columns,
  structures,
  place,
  onPlace,
  phone,
}: WalkCachesProps) {
  return structures.map((structure) => {
    const view = machine.structures[structure];
    if (!view) return null;
    const host =
      view.inside === null ? undefined : machine.structures[view.inside];
    const hostColumns = view.inside === null ? undefined : columns[view.inside];
    if (host && hostColumns)
      return (
        <div key={structure} className="tlb-array tlb-array-titled">
          <div className="tlb-title">
            <b>{structureName(machine, structure)}</b>
            <span>
              stored in {host.name}:{" "}
              {counted(
                hostColumns.table.filter((flag) => flag === 1).length,
                "entry",
                "entries",
              )}{" "}
              there, competing with translations
            </span>
          </div>
        </div>
      );
    const content = columns[structure];
    if (!content) return null;
    const event = eventIn(
      translation,
      machine,
      structure,
      step.access.kind,
      step,
    );
    const props = {
      view: inWords(view, machine, structure),
      content,
      layout: arrayLayout(view),
      event,
      picked: place?.structure === structure ? place : null,
      shown: "all" as const,
      onPick: (set: number, way: number | null) =>
        onPlace({ structure, set, way }),
      onDrop: () => onPlace(null),
    };
    return (
      <div key={structure} className="tlb-array tlb-array-titled">
        <div className="tlb-title">
          <b>{structureName(machine, structure)}</b>
          <span>{shapeOf(view)}</span>
          <span>
            {count(step.in_use[structure] ?? 0)} of{" "}
            {count(view.sets * view.ways)} in use
          </span>
          <EventLine
            {...props}
            titled
            phone={phone}
            labelOf={(key, keyShift) =>
              prefixLabel(key, keyShift, translation.levels, Infinity)
            }
          />
        </div>
        <ArrayCells
          {...props}
          phone={phone}
          labelOf={(key, keyShift, width) =>
            prefixLabel(key, keyShift, translation.levels, width)
          }
        />
      </div>
    );
  });
}

/** One array: cells with text if it is small, otherwise a map with one set opened below. */
import { useState } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { arrayLayout } from "../../model/tlb/array";
import type { ArrayColumns } from "../../model/tlb/array";
import { eventIn } from "../../model/tlb/event";
import type { TlbHeights } from "../../model/tlb/heights";
import { inWords } from "../../model/tlb/names";
import { ArrayCells, setPosition } from "./ArrayCells";
import { ArrayMap } from "./ArrayMap";
import { ArrayTitle } from "./ArrayTitle";
import type { Shown } from "./ArrayTitle";
import { EventLine } from "./EventLine";
import type { OwnedPlace, Place } from "./place";

export interface ArrayViewProps {
  readonly machine: MachineView;
  readonly step: StepView;
  readonly translation: TranslationView;
  readonly columns: readonly ArrayColumns[];
  readonly structure: number;
  readonly place: Place | null;
  readonly onPlace: (place: Place | null) => void;
  readonly phone: boolean;
  /** Shows shape, use and formula above the array. */
  readonly titled?: boolean;
  /** Whether the array has the panel to itself. */
  readonly tall?: boolean;
  /** A map opens no set until the user chooses one. */
  readonly closed?: boolean;
  /** Heights of the panel's parts, equal for all arrays of the machine; `null` = as high as needed. */
  readonly heights: TlbHeights | null;
  /** What a reader expects in this array. */
  readonly guess?: Place | null;
  /** What a press chooses as an answer. */
  readonly chooses?: OwnedPlace["chooses"];
}

export function ArrayView({
  machine,
  step,
  translation,
  columns,
  structure,
  place,
  onPlace,
  phone,
  titled: wantsTitle = false,
  tall = false,
  closed = false,
  heights,
  guess = null,
  chooses = null,
}: ArrayViewProps) {
  // The filter is valid only for the array that it was set on.
  const [filter, setFilter] = useState<{ of: number; shown: Shown }>({
    of: structure,
    shown: "all",
  });
  const shown = filter.of === structure ? filter.shown : "all";
  const view = machine.structures[structure];
  const content = columns[structure];
  if (!view || !content) return null;
  const layout = arrayLayout(view);
  // A map has no labels that would show its shape, so it needs the title.
  const titled = wantsTitle || layout.kind === "map";
  const event = eventIn(
    translation,
    machine,
    structure,
    step.access.kind,
    step,
  );
  // If columns are sets, the words are below their set.
  const below =
    phone || layout.fold > 1 || event.set === null
      ? null
      : setPosition(layout, event.set);
  const picked = place?.structure === structure ? place : null;
  const pick = (set: number, way: number | null) =>
    onPlace({ structure, set, way });
  const props = {
    view: inWords(view, machine, structure),
    content,
    layout,
    event,
    picked,
    shown,
    onPick: pick,
    onDrop: () => onPlace(null),
  };
  return (
    <div
      className={titled ? "tlb-array tlb-array-titled" : "tlb-array"}
      style={
        heights === null || tall
          ? undefined
          : { minHeight: view.role === "l2" ? heights.second : heights.first }
      }
    >
      {titled ? (
        <ArrayTitle
          machine={machine}
          structure={structure}
          content={content}
          used={step.in_use[structure] ?? 0}
          event={event}
          shown={shown}
          onShown={(next) => setFilter({ of: structure, shown: next })}
          short={phone}
        />
      ) : null}
      {layout.kind === "cells" ? (
        <>
          <ArrayCells
            {...props}
            phone={phone}
            tick={below !== null}
            guess={guess}
            chooses={chooses}
            {...(heights && view.role === "l1" ? { height: heights.rows } : {})}
          />
          <EventLine {...props} titled={titled} phone={phone} below={below} />
        </>
      ) : (
        <>
          <ArrayMap
            {...props}
            tall={tall}
            phone={phone}
            closed={closed}
            most={view.role === "l2" && heights ? heights.map : 84}
          />
          {phone ? <EventLine {...props} titled phone named /> : null}
        </>
      )}
    </div>
  );
}

/** The left column of the what-if screen: sliders and choices that change the machine. */
import type { ReactNode } from "react";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { Policy } from "../../engine/generated/Policy";
import {
  arrayKnobs,
  arraysOf,
  isStack,
  latencyKnobs,
  shapeOf,
  substituteText,
  usualArray,
  walkCacheKnobs,
  withArray,
} from "../../model/whatif/machine";
import type { ArrayPlace, Knob } from "../../model/whatif/machine";
import { KnobSlider } from "./KnobSlider";
import { Segmented } from "../shared/Segmented";
import type { SweepSetup } from "../../model/whatif/sweep";
import { POLICIES } from "../../engine/generated/machineRules";
import { indexChoices, indexValue } from "../../model/config/choices";
import { KINDS } from "../../model/whatif/questions";
import { fits } from "../../model/config/policies";
import { effectText } from "../../model/whatif/whatIf";
import type { Tried } from "../../model/whatif/whatIf";
import type { PanelActions } from "./panelActions";
import "./controls.css";

export interface ControlsProps extends Pick<PanelActions, "onChoose"> {
  readonly whatIf: Tried;
  /** The array that is changed. */
  readonly place: ArrayPlace;
  /** Tries a machine; `id` names the slider that is moving. */
  readonly onChange: (
    to: Pick<SweepSetup, "machine" | "os">,
    id?: string,
  ) => void;
  /** Called when the user releases the slider. */
  readonly onRest: () => void;
  /** The effect of the changes. */
  readonly children: ReactNode;
}

export function Controls(props: ControlsProps) {
  const { whatIf, place } = props;
  const { own, now, view } = whatIf;
  const move = (machine: MachineConfig, id?: string) =>
    props.onChange({ machine, os: now.os }, id);
  const knob = (each: Knob) => (
    <KnobSlider
      key={each.id}
      knob={each}
      effect={effectText(whatIf)}
      onMove={move}
      onRest={props.onRest}
    />
  );
  const arrays = arraysOf(own.machine);
  const first = usualArray(
    { ...own.machine, l2: [] },
    KINDS[view.kinds === "fetch" ? "fetch" : "data"],
    whatIf.size,
  );
  const array = arraysOf(now.machine).find(({ id }) => id === place.id)?.array;
  const indexes = indexChoices(array?.index);
  const substitute = array && substituteText(array, place.array);
  return (
    <aside className="wi-controls" aria-label="Changes to the machine">
      <div className="wi-panel-head">
        <h3 id="wi-structure">Structure</h3>
        <span className="spacer" />
        <select
          className="wi-select"
          aria-labelledby="wi-structure"
          value={place.id}
          onChange={({ target }) => props.onChoose({ structure: target.value })}
        >
          {arrays.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="wi-knobs">
        {arrayKnobs(now.machine, own.machine, place).map(knob)}
        <div className="wi-choice">
          <span>Index</span>
          <span className="spacer" />
          <Segmented
            label="Index"
            value={indexValue(array?.index)}
            choices={indexes.map(({ value, word }) => ({
              value,
              label: word,
            }))}
            onChange={(value) => {
              const chosen = indexes.find((each) => each.value === value);
              if (chosen)
                move(withArray(now.machine, place, { index: chosen.index }));
            }}
          />
        </div>
        <label className="wi-choice">
          <span>Replacement</span>
          <span className="spacer" />
          <select
            className="wi-select"
            value={array?.replacement ?? "lru"}
            onChange={({ target }) =>
              move(
                withArray(now.machine, place, {
                  // The value is one of the options below, so the cast is safe.
                  replacement: target.value as Policy,
                }),
              )
            }
          >
            {POLICIES.map(({ id }) => (
              <option
                key={id}
                value={id}
                disabled={array && !fits(id, shapeOf(array).ways)}
              >
                {id}
              </option>
            ))}
          </select>
        </label>
        {substitute === undefined ? null : (
          <p className="small wi-hint wi-substitute" role="status">
            {substitute}
          </p>
        )}
        <p className="t3 small wi-hint">
          {isStack(array?.replacement ?? "lru")
            ? "LRU: one pass gives curve and map."
            : "Not LRU: there is no one-pass curve, so each change runs the whole trace."}
        </p>
        {first && first.id !== place.id
          ? arrayKnobs(now.machine, own.machine, first).slice(0, 1).map(knob)
          : null}
        {latencyKnobs(now.machine, own.machine).map(knob)}
        <details className="wi-more">
          <summary>Walk caches</summary>
          {walkCacheKnobs(now.machine, own.machine).map(knob)}
          {walkCacheKnobs(now.machine, own.machine).length === 0 ? (
            <p className="t3 small">No walk cache has its own entries.</p>
          ) : null}
        </details>
      </div>
      {props.children}
    </aside>
  );
}

/** The left column: what is moved, and what that does. */
import { useDeferredValue } from "react";
import type { Index } from "../../engine/generated/Index";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { Policy } from "../../engine/generated/Policy";
import { counted, delta } from "../../model/shared/format";
import { changeText, effectRows, verdict } from "../../model/whatif/effect";
import {
  arrayKnobs,
  arraysOf,
  fits,
  INDEXES,
  isStack,
  latencyKnobs,
  POLICIES,
  shapeOf,
  substituteText,
  usualArray,
  walkCacheKnobs,
  withArray,
} from "../../model/whatif/machine";
import type { Knob } from "../../model/whatif/machine";
import { onlySize } from "../../model/whatif/pages";
import { same } from "../../model/shared/mergePatch";
import { EffectPanel } from "../../views/whatif/EffectPanel";
import { KnobSlider } from "../../views/whatif/KnobSlider";
import { Segmented } from "../../views/shared/Segmented";
import { useActions, useApp } from "../context";
import { useAnswer, valueOf } from "./useAsked";
import { countedPart, useTried } from "./useWhatIf";
import type { Tried, WhatIf } from "./useWhatIf";
import "../../views/whatif/controls.css";

export function WhatIfControls(props: { readonly whatIf: WhatIf }) {
  const whatIf = useTried(props.whatIf);
  const { own, now, place, view } = whatIf;
  const actions = useActions();
  const canUndo = useApp((state) => state.whatIf.past.length > 0);
  const effect = useEffectText(whatIf);
  if (!place) return null;
  const move = (machine: MachineConfig, id?: string) =>
    actions.changeWhatIf({ machine, os: now.os }, id);
  const knob = (each: Knob) => (
    <KnobSlider
      key={each.id}
      knob={each}
      effect={effect}
      onMove={move}
      onRest={actions.restWhatIf}
    />
  );
  const arrays = arraysOf(own.machine);
  const first = usualArray(
    { ...own.machine, l2: [] },
    view.kinds === "fetch" ? ["fetch"] : ["load", "store"],
    whatIf.size,
  );
  const array = arraysOf(now.machine).find(({ id }) => id === place.id)?.array;
  const substitute = array && substituteText(array, place.array);
  return (
    <aside className="wi-controls" aria-label="The machine, changed">
      <div className="wi-panel-head">
        <h3 id="wi-structure">Structure</h3>
        <span className="spacer" />
        <select
          className="wi-select"
          aria-labelledby="wi-structure"
          value={place.id}
          onChange={({ target }) =>
            actions.chooseWhatIf({ structure: target.value })
          }
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
          <Segmented<Index>
            label="Index"
            value={array?.index ?? "low-bits"}
            choices={INDEXES.map((value) => ({
              value,
              label: value === "xor" ? "xor" : "low bits",
            }))}
            onChange={(index) => move(withArray(now.machine, place, { index }))}
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
                  // One of the list below.
                  replacement: target.value as Policy,
                }),
              )
            }
          >
            {POLICIES.map((policy) => (
              <option
                key={policy}
                value={policy}
                disabled={array && !fits(policy, shapeOf(array).ways)}
              >
                {policy}
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
            ? "LRU: curve and map are of it in one pass."
            : "Not LRU: no curve of it is made in one pass, so the whole trace is run again."}
        </p>
        {first && first.id !== place.id
          ? arrayKnobs(now.machine, own.machine, first).slice(0, 1).map(knob)
          : null}
        {latencyKnobs(now.machine, own.machine).map(knob)}
        <details className="wi-more">
          <summary>Paging-structure caches</summary>
          {walkCacheKnobs(now.machine, own.machine).map(knob)}
          {walkCacheKnobs(now.machine, own.machine).length === 0 ? (
            <p className="t3 small">None of them stands by itself.</p>
          ) : null}
        </details>
      </div>
      <Effect whatIf={whatIf} canUndo={canUndo} />
    </aside>
  );
}

/** `walks −581`, or cycles where walks stay. */
function useEffectText({ ownReport, nowReport }: Tried): string {
  if (!ownReport || !nowReport) return "…";
  const walks = nowReport.walks.walks - ownReport.walks.walks;
  if (walks !== 0) return `walks ${delta(walks)}`;
  const { total } = nowReport.cycles;
  return `cycles ${changeText(ownReport.cycles.total, total)}`;
}

function Effect({
  whatIf,
  canUndo,
}: {
  readonly whatIf: Tried;
  readonly canUndo: boolean;
}) {
  const { own, now, ownReport, nowReport, nowRun, isChanged } = whatIf;
  const actions = useActions();
  const pages = onlySize(now.os);
  const curve = useAnswer(
    pages === undefined
      ? undefined
      : {
          what: "curve",
          uses: { pages, kinds: ["fetch", "load", "store"] },
        },
  );
  // The numbers of before stay until the next ones are there.
  const last = useDeferredValue(nowReport);
  if (!ownReport) return <section className="wi-effect" aria-label="Effect" />;
  const after = isChanged ? nowReport : undefined;
  return (
    <EffectPanel
      rows={effectRows(ownReport, after)}
      counted={countedPart(own)}
      changes={isChanged ? `Effect of ${changesText(whatIf)}` : undefined}
      verdict={verdict({
        before: ownReport,
        after: isChanged ? (nowReport ?? last) : undefined,
        cold: own.window ? undefined : valueOf(curve)?.cold,
      })}
      isRunning={isChanged && nowRun?.status === "running"}
      problem={nowRun?.status === "failed" ? nowRun.why : undefined}
      canUndo={canUndo}
      onOpen={() => void actions.openWhatIf(now)}
      onUndo={actions.undoWhatIf}
      onReset={() => actions.changeWhatIf(own)}
    />
  );
}

/** How much is other: `1 change, all accesses`. */
function changesText({ own, now }: WhatIf): string {
  const before = [...arraysOf(own.machine).map(({ array }) => array)];
  const after = [...arraysOf(now.machine).map(({ array }) => array)];
  const arrays = before.filter((array, at) => !same(array, after[at])).length;
  const others = [
    !same(own.machine.latency, now.machine.latency),
    !same(own.machine.memory, now.machine.memory),
    !same(own.machine.psc, now.machine.psc),
    !same(own.os, now.os),
  ].filter(Boolean).length;
  return `${counted(arrays + others, "change")}, ${countedPart(own)}`;
}

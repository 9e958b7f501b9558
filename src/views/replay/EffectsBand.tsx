/**
 * What operations and acts of the operating system around the access changed: table entries with their bits,
 * entries that this core invalidated, cores that were interrupted.
 */
import { useState } from "react";
import type { ChangeView } from "../../engine/generated/ChangeView";
import type { Cores } from "../../engine/generated/Cores";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import {
  changedBits,
  changeText,
  coresOf,
  dropsOf,
  entryOf,
  happenings,
  moreChanges,
} from "../../model/replay/effects";
import type { Happening } from "../../model/replay/effects";
import { count } from "../../model/shared/format";
import "./effects.css";

export interface EffectsBandProps {
  readonly step: StepView;
  readonly machine: MachineView;
  /** What gets its own core: threads or processors. */
  readonly cores: Cores;
  /** Shows a structure in the TLB picture. */
  readonly onStructure?: (structure: number) => void;
}

/** The largest number of table entries shown. */
const MOST = 3;

export function EffectsBand({
  step,
  machine,
  cores,
  onStructure,
}: EffectsBandProps) {
  const all = happenings(step, machine);
  const [chosen, setChosen] = useState({ index: step.index, at: 0 });
  const at = chosen.index === step.index ? chosen.at : 0;
  const happening = all[at] ?? all[0];
  if (!happening) return null;
  return (
    <section className="effects" aria-label="Operations around this access">
      <div className="effects-what">
        {all.length === 1 ? (
          <b className="effects-title">{happening.title}</b>
        ) : (
          <ol className="effects-list">
            {all.map(({ title }, number) => (
              <li key={number}>
                <button
                  type="button"
                  aria-pressed={number === at}
                  onClick={() => setChosen({ index: step.index, at: number })}
                >
                  {title}
                </button>
              </li>
            ))}
          </ol>
        )}
        <span className="t3">by {happening.by}</span>
      </div>
      <Tables happening={happening} machine={machine} />
      <Dropped
        happening={happening}
        machine={machine}
        {...(onStructure ? { onStructure } : {})}
      />
      <Cores happening={happening} machine={machine} cores={cores} />
    </section>
  );
}

function Tables({
  happening: { effects },
  machine,
}: {
  readonly happening: Happening;
  readonly machine: MachineView;
}) {
  const shown = effects.changes.slice(0, MOST);
  const more = moreChanges({ ...effects, changes: shown });
  return (
    <div className="effects-part">
      <h3>Tables</h3>
      {effects.n_changes === 0 ? (
        <p className="t3">no entry changed</p>
      ) : (
        <ul>
          {shown.map((change) => (
            <li key={change.entry_address}>
              <Change change={change} machine={machine} />
            </li>
          ))}
          {more.map((text) => (
            <li key={text} className="t3">
              {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** One changed table entry: `PT[181] at 0x5f075a8 W 1→0 XD 0→1`. */
function Change({
  change,
  machine,
}: {
  readonly change: ChangeView;
  readonly machine: MachineView;
}) {
  const { was, now, entry_address, address } = change;
  const whole = BigInt(was) === 0n || BigInt(now) === 0n;
  return (
    <span className="effects-change" title={`for ${address}: ${was} → ${now}`}>
      <b>{entryOf(change, machine)}</b>{" "}
      <code className="t3">at {entry_address}</code>{" "}
      {whole ? (
        <code>{changeText(change)}</code>
      ) : (
        changedBits(change).map((bit) => (
          <span key={bit.name} className="effects-bit" title={bit.meaning}>
            {bit.name} <code>{bit.was}</code>→<code>{bit.now}</code>
          </span>
        ))
      )}
    </span>
  );
}

function Dropped({
  happening,
  machine,
  onStructure,
}: {
  readonly happening: Happening;
  readonly machine: MachineView;
  readonly onStructure?: (structure: number) => void;
}) {
  const drops = dropsOf(happening, machine);
  return (
    <div className="effects-part">
      <h3>Invalidated here</h3>
      {drops.length === 0 ? (
        <p className="t3">none</p>
      ) : (
        <ul className="effects-drops">
          {drops.map(({ structure, name, dropped, stayed }) => (
            <li key={structure}>
              <button
                type="button"
                onClick={() => onStructure?.(structure)}
                title={`Show ${name}; dashed: invalidated entries`}
              >
                {name} <b>−{count(dropped)}</b>
              </button>
              {stayed > 0 ? (
                <span className="t3"> {count(stayed)} global kept</span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Cores({
  happening: { effects },
  machine,
  cores,
}: {
  readonly happening: Happening;
  readonly machine: MachineView;
  readonly cores: Cores;
}) {
  if (cores === "one") return null;
  const interrupted = coresOf(effects, machine, cores);
  return (
    <div className="effects-part">
      <h3>Other cores</h3>
      {interrupted.length === 0 ? (
        <p className="t3">none interrupted</p>
      ) : (
        <ul>
          {interrupted.map(({ name, how, what }) => (
            <li key={name}>
              <b>{name}</b> <span className="effects-bit">{how}</span> {what}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

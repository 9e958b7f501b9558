/**
 * What operations and acts of the operating system around the access changed: table entries with their bits,
 * entries that this core invalidated, cores that were interrupted. Each list shows its first items; a button
 * opens the rest, so the band never takes space from the timeline.
 */
import { useState } from "react";
import type { ReactNode } from "react";
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
import { count, counted } from "../../model/shared/format";
import { Icon } from "../shared/Icon";
import { FloatingDialog, FloatingList, Opener } from "../shared/opener/Opener";
import "./effects.css";

export interface EffectsBandProps {
  readonly step: StepView;
  readonly machine: MachineView;
  /** What gets its own core: threads or processors. */
  readonly cores: Cores;
  /** Shows numbers only, and the lists on demand. */
  readonly compact?: boolean;
  /** The access in words, on demand: a compact band takes their place. */
  readonly words?: ReactNode;
  /** Shows a structure in the TLB picture. */
  readonly onStructure?: (structure: number) => void;
}

/** An item of a list: in the band, and in the whole list if it says more there. */
interface Item {
  readonly key: string | number;
  readonly text: ReactNode;
  readonly whole?: ReactNode;
}

export function EffectsBand(props: EffectsBandProps) {
  const { step, machine, cores, compact = false, words, onStructure } = props;
  const all = happenings(step, machine);
  const [chosen, setChosen] = useState({ index: step.index, at: 0 });
  const at = chosen.index === step.index ? chosen.at : 0;
  const happening = all[at] ?? all[0];
  if (!happening) return null;
  const { effects } = happening;
  const drops = dropsOf(happening, machine);
  const dropped = drops.reduce((sum, drop) => sum + drop.dropped, 0);
  const interrupted = coresOf(effects, machine, cores);
  return (
    <section
      className={compact ? "effects effects-compact" : "effects"}
      aria-label="Operations around this access"
    >
      <div className="effects-what">
        <h2 className="effects-title" title={happening.title}>
          {happening.title}
        </h2>
        <p className="t3">
          {happening.by}{" "}
          {all.length === 1 ? null : (
            <Opener
              opens="listbox"
              className="effects-more"
              aria-label={`Operation ${at + 1} of ${all.length}: choose another`}
              face={
                <>
                  {at + 1} of {all.length} <Icon name="chevron" size={12} />
                </>
              }
            >
              {(floating) => (
                <FloatingList
                  {...floating}
                  label="Operations"
                  sections={[
                    {
                      choices: all.map(({ title }, number) => ({
                        key: String(number),
                        text: title,
                      })),
                    },
                  ]}
                  selected={String(at)}
                  onSelect={(key) =>
                    setChosen({ index: step.index, at: Number(key) })
                  }
                />
              )}
            </Opener>
          )}
          {words ? (
            <More name="The access in words" face="in words">
              {words}
            </More>
          ) : null}
        </p>
      </div>
      <Part
        title="Tables"
        none="no entry changed"
        sum={`${counted(effects.n_changes, "entry", "entries")} changed`}
        items={effects.changes.map((change) => ({
          key: change.entry_address,
          text: <Change change={change} machine={machine} />,
        }))}
        n={effects.n_changes}
        others={moreChanges(effects)}
        most={compact ? 0 : 1}
      />
      <Part
        title="Invalidated here"
        none="none"
        sum={`${count(dropped)} invalidated`}
        items={drops.map(({ structure, name, dropped, stayed }) => ({
          key: structure,
          text: (
            <>
              <button
                type="button"
                className="effects-drop"
                onClick={() => onStructure?.(structure)}
                title={`Show ${name}; dashed: invalidated entries`}
              >
                {name} <b>−{count(dropped)}</b>
              </button>
              {stayed > 0 ? (
                <span className="t3"> {count(stayed)} global kept</span>
              ) : null}
            </>
          ),
        }))}
        most={compact ? 0 : 2}
      />
      {cores === "one" ? null : (
        <Part
          title="Other cores"
          none="none interrupted"
          sum={counted(interrupted.length, "other core")}
          items={interrupted.map(({ name, how, n, what }) => ({
            key: name,
            text: (
              <>
                <b>{name}</b> <span className="effects-bit">{how}</span>{" "}
                {n === 0 ? what : `${count(n)} invalidated`}
              </>
            ),
            whole: (
              <>
                <b>{name}</b> <span className="effects-bit">{how}</span> {what}
              </>
            ),
          }))}
          most={compact ? 0 : 1}
        />
      )}
    </section>
  );
}

interface PartProps {
  readonly title: string;
  /** Instead of an empty list. */
  readonly none: string;
  /** The list as a number: `16 invalidated`. */
  readonly sum: string;
  readonly items: readonly Item[];
  /** The number of all items, if some are not listed; `others` says which. */
  readonly n?: number;
  readonly others?: readonly string[];
  /** The largest number of items in the band. */
  readonly most: number;
}

function Part(props: PartProps) {
  const { title, none, sum, items, n = items.length, others, most } = props;
  // A button for one item would take the space of the item.
  const shown = items.slice(0, most > 0 && n === most + 1 ? n : most);
  const more = n - shown.length;
  const isWhole = more === 0 && shown.every(({ whole }) => whole === undefined);
  return (
    <div className="effects-part">
      <h3>{title}</h3>
      {n === 0 ? (
        <p className="t3">{none}</p>
      ) : (
        <div className="effects-row">
          {shown.length === 0 ? null : (
            <ul>
              {shown.map(({ key, text }) => (
                <li key={key}>{text}</li>
              ))}
            </ul>
          )}
          {isWhole ? null : (
            <More
              name={`${title}: ${sum}`}
              face={
                most === 0
                  ? sum
                  : more === 0
                    ? "more"
                    : `and ${count(more)} more`
              }
            >
              <ul className="effects-all">
                {items.map(({ key, text, whole }) => (
                  <li key={key}>{whole ?? text}</li>
                ))}
                {others?.map((text) => (
                  <li key={text} className="t3">
                    {text}
                  </li>
                ))}
              </ul>
            </More>
          )}
        </div>
      )}
    </div>
  );
}

/** A button that opens what the band has no space for. */
function More({
  name,
  face,
  children,
}: {
  readonly name: string;
  readonly face: string;
  readonly children: ReactNode;
}) {
  return (
    <Opener
      opens="dialog"
      className="effects-more"
      aria-label={name}
      face={
        <>
          {face} <Icon name="chevron" size={12} />
        </>
      }
    >
      {(floating) => (
        <FloatingDialog
          {...floating}
          label={name}
          className="effects-dialog"
          placement="bottom start"
        >
          {() => children}
        </FloatingDialog>
      )}
    </Opener>
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

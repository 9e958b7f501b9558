/**
 * Which part of the file to import: processes, threads, events, modes, a window, every nth access, a limit.
 */
import { useId, useState } from "react";
import type { Mode } from "../../engine/generated/Mode";
import type { Peek } from "../../engine/generated/Peek";
import { count, counted } from "../../model/shared/format";
import { idsOf, taken } from "../../model/import/draft";
import type { Take, TakeField } from "../../model/import/draft";
import { UNTIL_LABEL } from "../../model/import/formats";
import {
  processOf,
  processText,
  threadOf,
  threadText,
  typedProcess,
} from "../../model/import/traceText";
import { Segmented } from "../shared/Segmented";
import { Labelled, NumberText } from "./Labelled";

export interface TakeFieldsProps {
  readonly peek: Peek;
  readonly take: Take;
  readonly onTake: (part: Partial<Take>) => void;
}

export function TakeFields({ peek, take, onTake }: TakeFieldsProps) {
  const { report, is_whole } = peek;
  const processes = report?.processes ?? [];
  const threads = processes.flatMap(({ threads }) => threads);
  const events = report?.sampling?.events ?? [];
  const wanted = taken(take);
  const problems = "problems" in wanted ? wanted.problems : {};
  const [reported, setReported] = useState(problems);
  const text = (field: TakeField) => ({
    value: take[field],
    problem: reported[field] === problems[field] ? reported[field] : undefined,
    onChange: (value: string) => onTake({ [field]: value }),
    onEnter: () => setReported(problems),
  });
  const inSeconds = take.unit === "seconds";
  const hasTime = peek.records.some(({ time }) => time !== undefined);
  return (
    <details className="draft-take" open={isOpen(peek, take)}>
      <summary>
        <h3>Import only</h3> <span className="t2">{takeText(take)}</span>
      </summary>
      <div className="draft-picks">
        {processes.length > 1 || !is_whole || take.pids.length > 0 ? (
          <Picks
            title="Processes"
            typing={hasGuests(report) ? GUESTS : PROCESSES}
            items={processes.map(({ pid, name, accesses }) => ({
              id: pid,
              word: `${processText(pid)}${name === undefined ? "" : ` ${name}`}`,
              n: accesses,
            }))}
            isWhole={is_whole && (report?.more_processes ?? 0) === 0}
            chosen={take.pids}
            onChosen={(pids, wrongPids) =>
              onTake({ pids, ...(wrongPids && { wrongPids }) })
            }
          />
        ) : null}
        {threads.length > 1 || take.tids.length > 0 ? (
          <Picks
            title="Threads"
            typing={THREADS}
            items={threads.map(({ tid, accesses }) => ({
              id: tid,
              word: threadText(tid),
              n: accesses,
            }))}
            isWhole={is_whole}
            chosen={take.tids}
            onChosen={(tids, wrongTids) =>
              onTake({ tids, ...(wrongTids && { wrongTids }) })
            }
          />
        ) : null}
        {events.length > 1 ? (
          <fieldset className="draft-pick">
            <legend>Events</legend>
            <div className="draft-list">
              {events.map(({ name, samples }, i) => (
                <Check
                  key={i}
                  word={name}
                  n={samples}
                  isOn={take.events.includes(`#${i + 1}`)}
                  onToggle={() =>
                    onTake({ events: toggled(take.events, `#${i + 1}`) })
                  }
                />
              ))}
            </div>
          </fieldset>
        ) : null}
        {report?.sampling ? (
          <fieldset className="draft-pick">
            <legend>Run by</legend>
            <div className="draft-list">
              {MODES.map(({ mode, word }) => (
                <Check
                  key={mode}
                  word={word}
                  isOn={take.modes.includes(mode)}
                  onToggle={() => onTake({ modes: toggled(take.modes, mode) })}
                />
              ))}
            </div>
          </fieldset>
        ) : null}
      </div>
      {/*
          An error is reported when the focus leaves a field, or on request. At each key, screen readers would read it
          again.
      */}
      <div className="draft-fields" onBlur={() => setReported(problems)}>
        {hasTime || inSeconds ? (
          <Labelled label="Window unit">
            {() => (
              <Segmented
                label="Window unit"
                choices={[
                  { value: "accesses", label: "accesses" },
                  { value: "seconds", label: "seconds" },
                ]}
                value={take.unit}
                onChange={(unit) => onTake({ unit, from: "", to: "" })}
              />
            )}
          </Labelled>
        ) : null}
        <NumberText
          label={inSeconds ? "From second" : "From access"}
          placeholder="the first"
          {...text("from")}
        />
        <NumberText
          label={inSeconds ? "Up to second (exclusive)" : UNTIL_LABEL}
          placeholder="the last"
          {...text("to")}
        />
        <NumberText label="Keep" placeholder="all" {...text("keep")} />
        <NumberText label="of every" placeholder="–" {...text("of")} />
        <NumberText
          label="At most"
          placeholder="100,000,000"
          note="accesses"
          {...text("limit")}
        />
      </div>
      {is_whole ? null : (
        <p className="t2 small">
          A trace of hundreds of millions of accesses fits if you keep a part:
          100,000 of every 10,000,000 shows every phase. The first accesses of
          each part miss more often than in the program.
        </p>
      )}
    </details>
  );
}

const MODES: readonly { readonly mode: Mode; readonly word: string }[] = [
  { mode: "user", word: "the program (user)" },
  { mode: "kernel", word: "the kernel" },
  { mode: "guest", word: "virtual machines" },
];

/** Only recordings of samples, and lists made from them, name virtual machines. */
function hasGuests(report: Peek["report"]): boolean {
  const isGuest = ({ pid }: { pid: number }) => typedProcess(pid).includes(":");
  return report?.sampling !== undefined || !!report?.processes?.some(isGuest);
}

/** Returns whether the file offers a choice, or the user made one. */
function isOpen({ report, is_whole }: Peek, take: Take): boolean {
  const isLarge = !is_whole || (report?.processes?.length ?? 0) > 1;
  return isLarge || report?.sampling !== undefined || takeText(take) !== "all";
}

function takeText(take: Take): string {
  const { pids, tids, events, modes, from, to, keep, of, limit, unit } = take;
  const some = (n: number, word: string, plural?: string) =>
    n > 0 ? [counted(n, word, plural)] : [];
  const parts = [
    ...some(pids.length, "process", "processes"),
    ...some(tids.length, "thread"),
    ...some(events.length, "event"),
    ...(modes.length > 0 ? [modes.join(" and ")] : []),
    ...(from === "" ? [] : [`from ${from}${unit === "seconds" ? " s" : ""}`]),
    ...(to === "" ? [] : [`to ${to}${unit === "seconds" ? " s" : ""}`]),
    ...(keep === "" && of === "" ? [] : [`${keep} of every ${of}`]),
    ...(limit === "" ? [] : [`at most ${limit}`]),
  ];
  return parts.length === 0 ? "all" : parts.join(", ");
}

function toggled<T>(list: readonly T[], item: T): readonly T[] {
  return list.includes(item)
    ? list.filter((other) => other !== item)
    : [...list, item];
}

/** How the user types ids that are not in the list. */
interface Typing {
  readonly idOf: (word: string) => number | undefined;
  readonly textOf: (id: number) => string;
  readonly placeholder: string;
  /** The error after words that are no id. */
  readonly none: string;
}

const PROCESSES: Typing = {
  idOf: processOf,
  textOf: typedProcess,
  placeholder: "others, by number",
  none: "is not a process: type a number, such as 1234.",
};

const GUESTS: Typing = {
  ...PROCESSES,
  placeholder: "others: 1234, guest:1234",
  none: "is not a process: type a number, such as 1234, or guest:1234 for a process in the virtual machine 1234.",
};

const THREADS: Typing = {
  idOf: threadOf,
  textOf: threadText,
  placeholder: "others, by number",
  none: "is not a thread: type a number, such as 1234.",
};

interface PicksProps {
  readonly title: string;
  readonly typing: Typing;
  readonly items: readonly { id: number; word: string; n: number }[];
  /** Whether the list holds all ids of the file. */
  readonly isWhole: boolean;
  readonly chosen: readonly number[];
  /** `wrong`: the typed text that is no id, if it may have changed. */
  readonly onChosen: (
    chosen: readonly number[],
    wrong?: readonly string[],
  ) => void;
}

/** A selection from a list of ids; the user can type other ids. */
function Picks(props: PicksProps) {
  const { title, typing, items, isWhole, chosen, onChosen } = props;
  const ids = new Set(items.map(({ id }) => id));
  const others = chosen.filter((id) => !ids.has(id));
  const [typed, setTyped] = useState(others.map(typing.textOf).join(", "));
  const { wrong } = idsOf(typed, typing.idOf);
  const [reported, setReported] = useState(wrong[0]);
  const isReported = reported !== undefined && wrong.includes(reported);
  const problem = useId();
  return (
    <fieldset className="draft-pick">
      <legend>
        {title} <span className="t2">{chosen.length === 0 ? "all" : ""}</span>
      </legend>
      <div className="draft-list">
        {items.map(({ id, word, n }) => (
          <Check
            key={id}
            word={word}
            n={n}
            isOn={chosen.includes(id)}
            onToggle={() => onChosen(toggled(chosen, id))}
          />
        ))}
      </div>
      {isWhole ? null : (
        <>
          <input
            className="field"
            aria-label={`${title} later in the file, by number`}
            aria-invalid={isReported || undefined}
            aria-describedby={isReported ? problem : undefined}
            placeholder={typing.placeholder}
            autoComplete="off"
            value={typed}
            onBlur={() => setReported(wrong[0])}
            onKeyDown={({ key }) => {
              if (key === "Enter") setReported(wrong[0]);
            }}
            onChange={({ target: { value } }) => {
              setTyped(value);
              const now = idsOf(value, typing.idOf);
              onChosen(
                [
                  ...chosen.filter((id) => ids.has(id)),
                  ...now.ids.filter((id) => !ids.has(id)),
                ],
                now.wrong,
              );
            }}
          />
          {isReported ? (
            <p className="problem small" role="alert" id={problem}>
              “{reported}” {typing.none}
            </p>
          ) : null}
        </>
      )}
    </fieldset>
  );
}

interface CheckProps {
  readonly word: string;
  readonly n?: number;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

function Check({ word, n, isOn, onToggle }: CheckProps) {
  return (
    <label className="draft-check">
      <input type="checkbox" checked={isOn} onChange={onToggle} />
      <span className="draft-check-word">{word}</span>
      {n === undefined ? null : <span className="t2">{count(n)}</span>}
    </label>
  );
}

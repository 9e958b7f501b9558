/** What of the file is wanted: processes, threads, events, modes, a window, some of every so many, a limit. */
import { useId, useState } from "react";
import type { Mode } from "../../engine/generated/Mode";
import type { Peek } from "../../engine/generated/Peek";
import { count, counted } from "../../model/shared/format";
import { idsOf, taken } from "../../model/import/draft";
import type { Take, TakeField } from "../../model/import/draft";
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
  const [told, setTold] = useState(problems);
  const text = (field: TakeField) => ({
    value: take[field],
    problem: told[field] === problems[field] ? told[field] : undefined,
    onChange: (value: string) => onTake({ [field]: value }),
    onEnter: () => setTold(problems),
  });
  const inSeconds = take.unit === "seconds";
  const hasTime = peek.records.some(({ time }) => time !== undefined);
  return (
    <details className="draft-take" open={isOpen(peek, take)}>
      <summary>
        <h3>What of it</h3> <span className="t2">{takeText(take)}</span>
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
      {/* What is wrong is told once a field is left, or asked for: at each key it would be read out again. */}
      <div className="draft-fields" onBlur={() => setTold(problems)}>
        {hasTime || inSeconds ? (
          <Labelled label="The window is in">
            {() => (
              <Segmented
                label="The window is in"
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
          label={inSeconds ? "To before second" : "To before access"}
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
          A file of hundreds of millions of accesses fits if only some are kept:
          100,000 of every 10,000,000 show every phase of the program, and the
          first accesses of each part miss more than they would.
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

/** Only samples tell what ran in a virtual machine, and lists that were made of them. */
function hasGuests(report: Peek["report"]): boolean {
  const isGuest = ({ pid }: { pid: number }) => typedProcess(pid).includes(":");
  return report?.sampling !== undefined || !!report?.processes?.some(isGuest);
}

/** There is something to choose, or something was chosen. */
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

/** How ids that are in no list are typed. */
interface Typing {
  readonly idOf: (word: string) => number | undefined;
  readonly textOf: (id: number) => string;
  readonly placeholder: string;
  /** What follows words that are none. */
  readonly none: string;
}

const PROCESSES: Typing = {
  idOf: processOf,
  textOf: typedProcess,
  placeholder: "others, by number",
  none: "is no process: type a number, such as 1234.",
};

const GUESTS: Typing = {
  ...PROCESSES,
  placeholder: "others: 1234, guest:1234",
  none: "is no process: type a number, such as 1234, or guest:1234 for what it ran as a virtual machine.",
};

const THREADS: Typing = {
  idOf: threadOf,
  textOf: threadText,
  placeholder: "others, by number",
  none: "is no thread: type a number, such as 1234.",
};

interface PicksProps {
  readonly title: string;
  readonly typing: Typing;
  readonly items: readonly { id: number; word: string; n: number }[];
  /** All that there are stand in the list. */
  readonly isWhole: boolean;
  readonly chosen: readonly number[];
  /** `wrong`: what is typed and is no id, where that may have changed. */
  readonly onChosen: (
    chosen: readonly number[],
    wrong?: readonly string[],
  ) => void;
}

/** Some of a list of ids; those that are not in it can be typed. */
function Picks(props: PicksProps) {
  const { title, typing, items, isWhole, chosen, onChosen } = props;
  const ids = new Set(items.map(({ id }) => id));
  const others = chosen.filter((id) => !ids.has(id));
  const [typed, setTyped] = useState(others.map(typing.textOf).join(", "));
  const { wrong } = idsOf(typed, typing.idOf);
  const [told, setTold] = useState(wrong[0]);
  const isTold = told !== undefined && wrong.includes(told);
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
            aria-label={`${title} further on in the file, by number`}
            aria-invalid={isTold || undefined}
            aria-describedby={isTold ? problem : undefined}
            placeholder={typing.placeholder}
            autoComplete="off"
            value={typed}
            onBlur={() => setTold(wrong[0])}
            onKeyDown={({ key }) => {
              if (key === "Enter") setTold(wrong[0]);
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
          {isTold ? (
            <p className="problem small" role="alert" id={problem}>
              “{told}” {typing.none}
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

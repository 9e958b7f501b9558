/** What a teacher asks: title, questions, about which accesses, and the rules for students. */
import type { Ask } from "../../engine/generated/Ask";
import { AMONG, MOST_OF_KIND } from "../../model/exercise/draft";
import type { Draft, Where } from "../../model/exercise/draft";
import { LOCKS } from "../../model/exercise/file";
import type { Lock } from "../../model/exercise/file";
import { askKey } from "../../model/exercise/kinds";
import type { AskChoice, AskKind } from "../../model/exercise/kinds";
import { count } from "../../model/shared/format";

export interface MakerFormProps {
  readonly draft: Draft;
  readonly kinds: readonly AskKind[];
  /** The keys of the questions that make sense at the shown access; missing while they are tried. */
  readonly fitting: ReadonlySet<string> | undefined;
  /** Returns whether the question is about what the shown access uses. */
  readonly isNear: (ask: Ask) => boolean;
  /** The access that is shown, from 0. */
  readonly at: number;
  readonly onChange: (part: Partial<Draft>) => void;
}

const LOCK_WORDS: Readonly<Record<Lock, string>> = {
  address: "address",
  walk: "walk",
  tlb: "TLB",
  totals: "totals",
  timeline: "timeline",
};

const ATTEMPTS = [1, 2, 3, 5];
const CHOICES = [3, 4, 6];

export function MakerForm(props: MakerFormProps) {
  const { draft, at, onChange } = props;
  const { title, where, n, hints, attempts, choices, locked } = draft;
  return (
    <div className="maker-form">
      <label className="maker-field">
        <span>Title</span>
        <input
          className="field"
          value={title}
          maxLength={120}
          onChange={({ target }) => onChange({ title: target.value })}
        />
      </label>
      <fieldset className="maker-row">
        <legend>About</legend>
        <select
          className="field"
          aria-label="About which accesses"
          value={where}
          // The options are the values of the type, so the cast is safe.
          onChange={({ target }) => onChange({ where: target.value as Where })}
        >
          <option value="this">this access, {count(at)}</option>
          {AMONG.map(({ value, label }) => (
            <option key={value} value={value}>
              accesses among {label}
            </option>
          ))}
        </select>
        {where === "this" ? (
          <span className="t2">All students get the same access.</span>
        ) : (
          <label className="maker-n">
            <input
              className="field"
              type="number"
              min={1}
              max={MOST_OF_KIND}
              step={1}
              // An emptied field stays empty: `NaN` is no number yet.
              value={Number.isNaN(n) ? "" : n}
              onChange={({ target }) => onChange({ n: target.valueAsNumber })}
            />
            <span className="t2">
              for each question, chosen by the student’s name
            </span>
          </label>
        )}
      </fieldset>
      <Kinds {...props} />
      <div className="maker-rules">
        <label className="maker-field">
          <span>Answers are</span>
          <select
            className="field"
            value={choices ?? ""}
            onChange={({ target }) =>
              onChange(
                target.value === ""
                  ? { choices: undefined }
                  : { choices: Number(target.value) },
              )
            }
          >
            <option value="">typed</option>
            {CHOICES.map((each) => (
              <option key={each} value={each}>
                one of {each}
              </option>
            ))}
          </select>
        </label>
        <label className="maker-field">
          <span>Attempts</span>
          <select
            className="field"
            value={attempts ?? ""}
            onChange={({ target }) =>
              onChange(
                target.value === ""
                  ? { attempts: undefined }
                  : { attempts: Number(target.value) },
              )
            }
          >
            <option value="">any number</option>
            {ATTEMPTS.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label className="maker-check">
          <input
            type="checkbox"
            checked={hints}
            onChange={({ target }) => onChange({ hints: target.checked })}
          />
          Hints
        </label>
      </div>
      <fieldset className="maker-row">
        <legend>Hide from students</legend>
        {LOCKS.map((lock) => (
          <label key={lock} className="maker-check">
            <input
              type="checkbox"
              checked={locked.includes(lock)}
              onChange={({ target }) =>
                onChange({
                  locked: LOCKS.filter((each) =>
                    each === lock ? target.checked : locked.includes(each),
                  ),
                })
              }
            />
            {LOCK_WORDS[lock]}
          </label>
        ))}
      </fieldset>
    </div>
  );
}

/** All questions; those that make sense at this access come first. */
function Kinds({ draft, kinds, fitting, isNear, onChange }: MakerFormProps) {
  const fits = ({ ask }: AskChoice) => fitting?.has(askKey(ask)) ?? false;
  const chosen = new Set(draft.asks.map(askKey));
  const isFirst = (choice: AskChoice) =>
    chosen.has(askKey(choice.ask)) || (fits(choice) && isNear(choice.ask));
  const hasFirst = ({ choices }: AskKind) => choices.some(isFirst);
  const toggle = (ask: Ask) => {
    const key = askKey(ask);
    onChange({
      asks: chosen.has(key)
        ? draft.asks.filter((each) => askKey(each) !== key)
        : [...draft.asks, ask],
    });
  };
  const shared = {
    chosen,
    fits,
    isFirst,
    where: draft.where,
    onToggle: toggle,
  };
  return (
    <fieldset className="maker-kinds">
      <legend>Questions</legend>
      {[
        ...kinds.filter(hasFirst),
        ...kinds.filter((kind) => !hasFirst(kind)),
      ].map((kind) => (
        <Kind key={kind.name} kind={kind} {...shared} />
      ))}
      {fitting ? null : (
        <p className="t2">Trying the questions at this access …</p>
      )}
    </fieldset>
  );
}

interface KindProps {
  readonly kind: AskKind;
  readonly chosen: ReadonlySet<string>;
  readonly fits: (choice: AskChoice) => boolean;
  readonly isFirst: (choice: AskChoice) => boolean;
  readonly where: Where;
  readonly onToggle: (ask: Ask) => void;
}

function Kind({ kind, isFirst, ...shared }: KindProps) {
  const { name, choices } = kind;
  const rest = choices.filter((choice) => !isFirst(choice));
  return (
    <div className="maker-kind" role="group" aria-label={name}>
      <span>{name}</span>
      <div>
        <Choices choices={choices.filter(isFirst)} {...shared} />
        {rest.length > 0 ? (
          <details>
            <summary>{rest.length} more</summary>
            <Choices choices={rest} {...shared} />
          </details>
        ) : null}
      </div>
    </div>
  );
}

function Choices({
  choices,
  chosen,
  fits,
  where,
  onToggle,
}: Omit<KindProps, "kind" | "isFirst"> & {
  readonly choices: readonly AskChoice[];
}) {
  return (
    <span className="maker-choices">
      {choices.map((choice) => {
        const key = askKey(choice.ask);
        const isOut = where === "this" && !fits(choice);
        return (
          <label
            key={key}
            className="maker-choice"
            data-out={isOut || undefined}
            title={isOut ? "This access has no such question" : undefined}
          >
            <input
              type="checkbox"
              checked={chosen.has(key)}
              disabled={isOut && !chosen.has(key)}
              onChange={() => onToggle(choice.ask)}
            />
            {choice.of}
          </label>
        );
      })}
    </span>
  );
}

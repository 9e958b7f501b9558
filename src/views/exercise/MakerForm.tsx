/** What a teacher asks: title, questions, about which accesses, and the rules for students. */
import type { Ask } from "../../engine/generated/Ask";
import { aboutOf, AMONG, MOST_OF_KIND } from "../../model/exercise/draft";
import type { About, Draft, Where } from "../../model/exercise/draft";
import { PANELS } from "../../engine/generated/exerciseRules";
import type { Panel } from "../../engine/generated/Panel";
import { askKey, askName } from "../../model/exercise/kinds";
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

const LOCK_WORDS: Readonly<Record<Panel, string>> = {
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
        <AboutFields
          label="About which accesses"
          about={{ where, n }}
          at={at}
          onChange={onChange}
        />
      </fieldset>
      <Kinds {...props} />
      {draft.asks.length > 1 ? <OwnAbout {...props} /> : null}
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
        {PANELS.map((lock) => (
          <label key={lock} className="maker-check">
            <input
              type="checkbox"
              checked={locked.includes(lock)}
              onChange={({ target }) =>
                onChange({
                  locked: PANELS.filter((each) =>
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

/** For each chosen question: the accesses of all, or its own. */
function OwnAbout({ draft, at, onChange }: MakerFormProps) {
  const { asks, where, n, own = {} } = draft;
  const change = (ask: Ask, about: About | undefined) => {
    const key = askKey(ask);
    const rest = Object.entries(own).filter(([other]) => other !== key);
    onChange({
      own: Object.fromEntries(about ? [...rest, [key, about]] : rest),
    });
  };
  return (
    <details className="maker-own">
      <summary>Other accesses for some questions</summary>
      {asks.map((ask) => {
        const about = own[askKey(ask)];
        const name = askName(ask);
        return (
          <div key={askKey(ask)} className="maker-row">
            <label className="maker-check">
              <input
                type="checkbox"
                checked={about !== undefined}
                onChange={({ target }) =>
                  change(ask, target.checked ? { where, n } : undefined)
                }
              />
              {name}
            </label>
            {about ? (
              <AboutFields
                label={`About which accesses: ${name}`}
                about={about}
                at={at}
                onChange={(part) => change(ask, { ...about, ...part })}
              />
            ) : null}
          </div>
        );
      })}
    </details>
  );
}

interface AboutFieldsProps {
  readonly label: string;
  readonly about: About;
  readonly at: number;
  readonly onChange: (part: Partial<About>) => void;
}

function AboutFields({ label, about, at, onChange }: AboutFieldsProps) {
  const { where, n } = about;
  return (
    <>
      <select
        className="field"
        aria-label={label}
        value={where}
        // The options are the values of the type, so the cast is safe.
        onChange={({ target }) => onChange({ where: target.value as Where })}
      >
        <option value="this">this access, {count(at)}</option>
        {AMONG.map(({ value, label: name }) => (
          <option key={value} value={value}>
            accesses among {name}
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
    </>
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
    isHere: (ask: Ask) => aboutOf(draft, ask).where === "this",
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
  /** Whether the question is about the shown access. */
  readonly isHere: (ask: Ask) => boolean;
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
  isHere,
  onToggle,
}: Omit<KindProps, "kind" | "isFirst"> & {
  readonly choices: readonly AskChoice[];
}) {
  return (
    <span className="maker-choices">
      {choices.map((choice) => {
        const key = askKey(choice.ask);
        const isOut = isHere(choice.ask) && !fits(choice);
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

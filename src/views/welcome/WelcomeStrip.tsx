/** The strip of the first screen: what the pictures show at this step, the next step, and three doors. */
import type { ReactNode } from "react";
import type { Part } from "../../model/replay/parts";
import type { Moment, SayWelcome } from "../../model/welcome/words";
import { Icon } from "../shared/Icon";
import { Term } from "../shared/terms/Term";
import "./welcome.css";

export interface DoorLink {
  readonly text: string;
  /** The address, or what a press does. */
  readonly to: string | (() => void);
}

export interface Door {
  readonly title: string;
  readonly links: readonly DoorLink[];
}

export interface WelcomeStripProps {
  readonly say: SayWelcome;
  /** The access in a few words; missing while it is opened. */
  readonly access: string | undefined;
  readonly moment: Moment | undefined;
  /** The step that is shown, from 1, and the number of steps. */
  readonly at: number;
  readonly n: number;
  /** The text of the button that goes on. */
  readonly next: string;
  readonly onNext: () => void;
  /** Missing at the beginning. */
  readonly onBack: (() => void) | undefined;
  readonly onSkip: () => void;
  /** The address of the lessons; on a phone, the doors are far below. */
  readonly lessons: string;
  readonly doors: readonly Door[];
  /** The offer of another language, in that language. */
  readonly offer?: ReactNode;
}

export function WelcomeStrip(props: WelcomeStripProps) {
  const { say, access, moment, at, n, next, doors, lessons, offer } = props;
  const { onNext, onBack, onSkip } = props;
  return (
    <section className="welcome-strip translated" aria-label={say("steps")}>
      <div className="welcome-watch">
        {offer}
        <h2>{say("title")}</h2>
        <p className="welcome-lessons">
          <a href={lessons}>{say("lessons")}</a>
        </p>
        <p className="welcome-access">
          <span>{access ?? say("opening")}</span>
          <span>{at === 0 || n === 0 ? "" : say("step", { at, n })}</span>
        </p>
        <div className="welcome-moment" aria-live="polite">
          {moment ? (
            <>
              <h3>{moment.title}</h3>
              <p>
                {moment.text.map((part, at) => (
                  <Word key={at} part={part} />
                ))}
              </p>
            </>
          ) : null}
        </div>
        <div className="welcome-buttons">
          <button
            type="button"
            className="btn primary"
            aria-disabled={moment === undefined}
            onClick={() => {
              if (moment) onNext();
            }}
          >
            {next} <Icon name="chevron-right" size={12} />
          </button>
          <button
            type="button"
            className="btn"
            aria-disabled={onBack === undefined}
            onClick={() => onBack?.()}
          >
            {say("back")}
          </button>
          <button type="button" className="btn quiet" onClick={onSkip}>
            {say("skip")}
          </button>
        </div>
      </div>
      <div className="welcome-doors">
        {doors.map((door) => (
          <div key={door.title} className="welcome-door">
            <h3>{door.title}</h3>
            <ul>
              {door.links.map((link) => (
                <li key={link.text}>
                  <DoorWay {...link} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

function DoorWay({ text, to }: DoorLink): ReactNode {
  if (typeof to === "string") return <a href={to}>{text}</a>;
  return (
    <button type="button" onClick={to}>
      {text}
    </button>
  );
}

function Word({ part }: { readonly part: Part }) {
  return part.kind === "text" ? (
    part.text
  ) : (
    <Term term={part.term}>{part.text}</Term>
  );
}

/**
 * The first screen: one access of a program, whose walk a newcomer steps through, and doors to the rest. It has
 * the pictures of the replay without what a newcomer does not need.
 */
import { use, useState } from "react";
import type { Snapshot } from "../../engine/engine";
import type { MachineView } from "../../engine/generated/MachineView";
import { encodePermalink } from "../../model/permalink/permalink";
import {
  accessText,
  momentOf,
  nextMoment,
  watchedSteps,
} from "../../model/welcome/words";
import type { Language } from "../../model/texts/language";
import type { SayWelcome } from "../../model/welcome/words";
import { WATCHED } from "../../state/start/welcome";
import { AccessBand } from "../../views/replay/AccessBand";
import { PlainContext } from "../../views/shared/plain";
import { TlbPanel } from "../../views/tlb/TlbPanel";
import { WalkPanel } from "../../views/walk/WalkPanel";
import { WelcomeStrip } from "../../views/welcome/WelcomeStrip";
import type { Door } from "../../views/welcome/WelcomeStrip";
import { useActions, useApp } from "../context";
import type { Dialog } from "../frame/useKeys";
import { LanguageOffer } from "../language/LanguageOffer";
import { useSpoken } from "../language/spoken";
import { useArrows } from "../shared/useArrows";
import { useIsLow, useIsPhone, useMedia } from "../shared/useMedia";
import { loadWelcome } from "./texts";

export interface WelcomeScreenProps {
  readonly onDialog: (dialog: Dialog) => void;
}

const LESSONS = `#${encodePermalink({ screen: "learn" })}`;

/** Before the first step. */
const BEFORE = -1;

export function WelcomeScreen({ onDialog }: WelcomeScreenProps) {
  const { language } = useSpoken();
  const say = use(loadWelcome(language));
  const machine = useApp((state) => state.machine);
  const snapshot = useApp((state) =>
    state.stale ? undefined : state.snapshot,
  );
  const { continueWelcome, goTo, leaveWelcome } = useActions();
  const [at, setAt] = useState(BEFORE);
  /** The cycles of the walk that was watched. */
  const [walked, setWalked] = useState(0);

  const shown = machine && snapshot ? { machine, snapshot } : undefined;
  const step = snapshot?.step;
  const isNext = step !== undefined && step.index !== WATCHED.access;
  const n = shown ? watchedSteps(shown.snapshot.step, shown.machine).length : 0;
  const isFound = at >= n - 1;
  const isWatching = !isNext && !isFound;
  const moment =
    shown &&
    (isNext
      ? nextMoment(shown.snapshot.step, shown.machine, walked, say)
      : momentOf(shown.snapshot.step, shown.machine, at, say));

  const onNext = () => {
    if (isNext) continueWelcome();
    else if (!isFound) setAt(at + 1);
    else {
      setWalked(step?.translations[0]?.cycles.total ?? 0);
      void goTo(WATCHED.access + 1);
    }
  };
  const onBack = () => {
    if (isNext) void goTo(WATCHED.access);
    else setAt(at - 1);
  };
  const canBack = isNext || at > BEFORE;
  useArrows(moment ? onNext : undefined, canBack ? onBack : undefined);

  return (
    <div className="welcome">
      <WelcomeStrip
        say={say}
        access={step && accessText(step, say)}
        moment={moment}
        at={isNext ? 0 : at + 1}
        n={n}
        next={say(isNext ? "showAll" : isFound ? "nextAccess" : "nextStep")}
        onNext={onNext}
        onBack={canBack ? onBack : undefined}
        onSkip={() => void leaveWelcome()}
        offer={<LanguageOffer />}
        lessons={LESSONS}
        doors={doors(say, {
          onReplay: () => void leaveWelcome(),
          onAddress: () => {
            continueWelcome();
            onDialog("find");
          },
          onImport: () => {
            void leaveWelcome();
            onDialog("import");
          },
        })}
      />
      <div
        className="welcome-pictures"
        data-watching={isWatching || undefined}
        // The pictures are in English only.
        lang="en"
      >
        {shown ? (
          <PlainContext value>
            <Pictures
              {...shown}
              {...{ say, language }}
              at={isNext ? null : at}
              isWatching={isWatching}
              onAt={(to) => setAt(to ?? n - 1)}
            />
          </PlainContext>
        ) : null}
      </div>
    </div>
  );
}

interface PicturesProps {
  readonly say: SayWelcome;
  readonly language: Language;
  readonly machine: MachineView;
  readonly snapshot: Snapshot;
  /** The step of the walk; `null` shows the whole access. */
  readonly at: number | null;
  /** Whether the answer is still to come. */
  readonly isWatching: boolean;
  readonly onAt: (at: number | null) => void;
}

function Pictures(props: PicturesProps) {
  const { say, language, machine, snapshot, at, isWatching, onAt } = props;
  const { step, columns } = snapshot;
  const phone = useIsPhone();
  const low = useIsLow();
  // The bits have no space next to the strip.
  const narrow = useMedia("(width < 1180px)");
  const shared = { machine, step, phone };
  return (
    <>
      <div className="replay-access">
        <AccessBand {...shared} phone={narrow} />
      </div>
      <WalkPanel
        {...shared}
        low={low}
        {...(at !== null && { owned: { at, onAt } })}
      />
      <div className="welcome-tlb">
        <p className="translated" lang={language}>
          {isWatching ? say("missed") : ""}
        </p>
        <TlbPanel
          {...shared}
          // Before the access, every array is empty.
          {...(isWatching && { step: { ...step, in_use: [] } })}
          low={low}
          columns={columns}
        />
      </div>
    </>
  );
}

const MACHINES = ["csapp", "ostep", "belady"] as const;

interface Ways {
  readonly onReplay: () => void;
  readonly onAddress: () => void;
  readonly onImport: () => void;
}

function doors(
  say: SayWelcome,
  { onReplay, onAddress, onImport }: Ways,
): readonly Door[] {
  return [
    {
      title: say("learn"),
      links: [
        {
          text: say("lessons"),
          to: LESSONS,
        },
        { text: say("ownAddress"), to: onAddress },
        { text: say("stepThrough"), to: onReplay },
        {
          text: say("glossary"),
          to: `#${encodePermalink({ screen: "glossary" })}`,
        },
        ...MACHINES.map((trace) => ({
          text: say(trace),
          to: `#${encodePermalink({ trace })}`,
        })),
      ],
    },
    {
      title: say("program"),
      links: [
        {
          text: say("runProgram"),
          to: `#${encodePermalink({ screen: "code" })}`,
        },
      ],
    },
    {
      title: say("trace"),
      links: [{ text: say("ownTrace"), to: onImport }],
    },
  ];
}

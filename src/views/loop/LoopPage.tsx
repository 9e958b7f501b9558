/** Programs that the user writes: the code of each, and its last run. Two programs stand next to each other. */
import type { ReactNode } from "react";
import { count } from "../../model/shared/format";
import { isStale, LOOP_LIMITS } from "../../model/loop/loop";
import type {
  LoopCode,
  LoopHome,
  LoopProgram,
  LoopSetup,
  LoopSlot,
  LoopState,
} from "../../model/loop/loop";
import { exceptionsText } from "../../model/loop/exceptions";
import { partnerOf, whatToSee } from "../../model/loop/examples";
import type { LoopExample, LoopPair } from "../../model/loop/examples";
import { Icon } from "../shared/Icon";
import { LoopHelp } from "./LoopHelp";
import { LoopNumbers } from "./LoopNumbers";
import { LoopOutcome } from "./LoopOutcome";
import { LoopProgramPane } from "./LoopProgramPane";
import "./loop.css";

export interface LoopPageProps {
  readonly loop: LoopState;
  /** The machine of the next run. */
  readonly setup: LoopSetup | undefined;
  /** The machine that the texts of the examples are about. */
  readonly home: LoopHome | undefined;
  readonly examples: readonly LoopExample[];
  readonly pairs: readonly LoopPair[];
  /** The modifier key of the run shortcut, before Enter. */
  readonly runKey: string;
  readonly onEdit: (slot: LoopSlot, part: Partial<LoopCode>) => void;
  readonly onExample: (slot: LoopSlot, example: LoopExample) => void;
  readonly onPair: (pair: LoopPair) => void;
  readonly onRun: (slot: LoopSlot) => void;
  readonly onCancel: (slot: LoopSlot) => void;
  readonly onAdd: () => void;
  readonly onRemove: () => void;
  /** Changes to the machine that the texts are about. */
  readonly onHome: () => void;
  /** Opens the accesses of a program in the replay. */
  readonly onOpen: (slot: LoopSlot) => void;
  /** The pictures of a program. */
  readonly pictures: (slot: LoopSlot) => ReactNode;
}

const BEFORE = ["First program: ", "Second program: "] as const;

export function LoopPage(props: LoopPageProps) {
  const { loop, setup, home, pictures } = props;
  const [first, second] = loop.programs;
  const isPair = second !== undefined;
  const both = isPair && first.shown && second.shown;
  const pairSees = both
    ? whatToSee([first.shown, second.shown], home)
    : undefined;
  const programs: readonly [LoopSlot, LoopProgram][] = isPair
    ? [
        [0, first],
        [1, second],
      ]
    : [[0, first]];
  const exceptionsOf = (...of: readonly LoopProgram[]) => (
    <Exceptions programs={of} home={home} onHome={props.onHome} />
  );
  const staleOf = (program: LoopProgram) => isStale(program, setup);
  const help = (
    <LoopHelp
      most={`${count(LOOP_LIMITS.accesses)} accesses, ${LOOP_LIMITS.seconds} seconds`}
      linked={loop.programs.every(({ packed }) => packed !== undefined)}
    />
  );
  return (
    <div className="loop" data-testid="loop" data-pair={isPair || undefined}>
      {programs.map(([slot, program]) => (
        <LoopProgramPane
          key={slot}
          program={program}
          before={isPair ? BEFORE[slot] : ""}
          examples={props.examples}
          pairs={props.pairs}
          runKey={props.runKey}
          action={slot === 1 ? <Close onClick={props.onRemove} /> : null}
          footer={isPair ? null : help}
          onEdit={(part) => props.onEdit(slot, part)}
          onExample={(example) => props.onExample(slot, example)}
          onPair={props.onPair}
          onRun={() => props.onRun(slot)}
          onCancel={() => props.onCancel(slot)}
        />
      ))}
      {isPair ? (
        <section
          className="loop-both"
          aria-label="Both programs"
          data-stale={programs.some(([, each]) => staleOf(each)) || undefined}
        >
          {both ? (
            <>
              {exceptionsOf(first, second)}
              <LoopNumbers first={first.shown} second={second.shown} />
              {pairSees === undefined ? null : (
                <p className="loop-see">
                  <b>What to see</b> {pairSees}
                </p>
              )}
            </>
          ) : (
            <p className="loop-see t2">
              Run both programs: their numbers stand here, with the ratio.
            </p>
          )}
        </section>
      ) : null}
      {programs.map(([slot, program]) => (
        <section
          key={slot}
          className="loop-result"
          aria-label={`${isPair ? BEFORE[slot] : ""}Last run`}
        >
          <LoopOutcome
            program={program}
            isCompared={isPair}
            isStale={staleOf(program)}
            see={
              isPair || !program.shown
                ? undefined
                : whatToSee([program.shown], home)
            }
            exceptions={isPair ? null : exceptionsOf(program)}
            actions={
              isPair ? null : (
                <button type="button" className="btn" onClick={props.onAdd}>
                  Compare with {partnerName(program)}
                </button>
              )
            }
            onOpen={() => props.onOpen(slot)}
          >
            {pictures(slot)}
          </LoopOutcome>
        </section>
      ))}
      {isPair ? help : null}
    </div>
  );
}

interface ExceptionsProps extends Pick<LoopPageProps, "home" | "onHome"> {
  readonly programs: readonly LoopProgram[];
}

/** What exceptions mean, once for programs with the same, and the way to a machine without them. */
function Exceptions({ programs, home, onHome }: ExceptionsProps) {
  const runs = programs.flatMap(({ shown }) => (shown ? [shown] : []));
  const texts = runs.map(exceptionsText);
  const isSame = texts.every((text) => text === texts[0]);
  const said = (isSame ? texts.slice(0, 1) : texts).flatMap((text, at) =>
    text === undefined
      ? []
      : [isSame ? text : `“${runs[at]?.name ?? ""}”: ${text}`],
  );
  const isHome = runs.every(({ setup }) => setup.machine === home?.machine);
  if (said.length === 0) return null;
  return (
    <p className="loop-see loop-exceptions" role="status">
      {said.join(" ")}{" "}
      {home && !isHome ? (
        <button type="button" className="btn" onClick={onHome}>
          Run on {home.name}
        </button>
      ) : null}
    </p>
  );
}

function partnerName({ code }: LoopProgram): string {
  const partner = partnerOf(code);
  return partner ? `“${partner.name}”` : "another program";
}

function Close({ onClick }: { readonly onClick: () => void }) {
  return (
    <button
      type="button"
      className="btn quiet icon"
      aria-label="End the comparison"
      title="End the comparison: the first program stays"
      onClick={onClick}
    >
      <Icon name="close" />
    </button>
  );
}

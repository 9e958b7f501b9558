/** The picture of a step: components of the replay, without the parts that the step leaves out. */
import { Suspense, lazy } from "react";
import type { LessonPart } from "../../model/learn/lesson";
import type { Picture } from "../../model/learn/picture";
import {
  answerInAddress,
  askedArray,
  pressable,
} from "../../model/learn/pictureAnswer";
import type { SayLearn } from "../../model/learn/question";
import { sizesOf } from "../../model/learn/whole";
import type { WholeRun } from "../../model/learn/whole";
import type { ProgramRuns } from "../../state/learn/state";
import type { ProgramText } from "../../model/code/code";
import { secondLevelName } from "../../model/tlb/names";
import { runTables } from "../../model/totals/tables";
import { AccessBand } from "../../views/replay/AccessBand";
import { AccessWords } from "../../views/replay/AccessWords";
import { ProgramTexts } from "../../views/learn/ProgramTexts";
import { SecondLevelContext } from "../../views/shared/outcomeWords";
import { AskingContext } from "../../views/shared/asking";
import type { Asking } from "../../views/shared/asking";
import { PlainContext } from "../../views/shared/plain";
import { TraceTagContext } from "../../views/shared/TraceTag";
import { GivenKeysContext } from "../../views/tlb/Came";
import { LessonTlb } from "./LessonTlb";
import type { PictureQuestion } from "./pictureQuestion";
import { TimelinePanel } from "../../views/timeline/TimelinePanel";
import { WalkPanel } from "../../views/walk/WalkPanel";
import { useSpoken } from "../language/spoken";
import "../../views/totals/totals.css";
import "../../views/whatif/curves.css";

const NestedPanels = lazy(() =>
  import("../../views/walk/NestedPanels").then((module) => ({
    default: module.NestedPanels,
  })),
);

const ProgramNumbers = lazy(() =>
  import("../../views/code/ProgramNumbers").then((module) => ({
    default: module.ProgramNumbers,
  })),
);

const CurveChart = lazy(() =>
  import("../../views/whatif/CurveChart").then((module) => ({
    default: module.CurveChart,
  })),
);

const CountTable = lazy(() =>
  import("../../views/totals/CountTable").then((module) => ({
    default: module.CountTable,
  })),
);

export interface LessonPictureProps {
  readonly say: SayLearn;
  readonly picture: Picture;
  readonly show: readonly LessonPart[];
  readonly whole: WholeRun;
  readonly programs: readonly ProgramText[];
  readonly phone: boolean;
  /** Whether the bits of an address of 48 bits have no space. */
  readonly narrow: boolean;
  /** The question of the step, once it is posed. */
  readonly question?: PictureQuestion | undefined;
  /** The reader steps through the walk. */
  readonly onWalkAt: (at: number | null) => void;
  /** Opens the programs on the screen Code. */
  readonly onPrograms: () => void;
  /** Whether the reader may look into all arrays and walk caches. */
  readonly allArrays?: boolean;
  /** What the programs counted, once the reader has run them. */
  readonly ran?: ProgramRuns | undefined;
  /** Runs the programs with a size. */
  readonly onRunPrograms?: (size: number | undefined) => void;
}

const nothing = () => {};

/** This number of bits has space in a narrow picture. */
const FEW_BITS = 20;

export function LessonPicture(props: LessonPictureProps) {
  const { picture, whole } = props;
  // The contexts of the page are about the trace in the replay.
  return (
    <PlainContext value>
      <TraceTagContext value={null}>
        <SecondLevelContext value={secondLevelName(picture.machine)}>
          <GivenKeysContext value={whole.given}>
            <AskingContext value={askingOf(props)}>
              <Parts {...props} />
            </AskingContext>
          </GivenKeysContext>
        </SecondLevelContext>
      </TraceTagContext>
    </PlainContext>
  );
}

/** What the parts of the picture know of the question; `null` if none waits. */
function askingOf({
  picture,
  show,
  question,
}: LessonPictureProps): Asking | null {
  if (!picture.isAsking) return null;
  if (!question || pressable(question.posed, picture, show) !== "field")
    return {};
  const { posed, given, onGive } = question;
  return {
    onPress: (objects) => {
      const answer = answerInAddress(posed, picture, objects);
      if (answer === undefined || answer === given) return false;
      onGive(answer);
      return true;
    },
  };
}

function Parts(props: LessonPictureProps) {
  const { picture, show, phone, narrow, question } = props;
  const { machine, done, structure, isBefore, isAsking } = picture;
  const has = (part: LessonPart) => show.includes(part);
  const fields = (phone || narrow) && machine.va_bits > FEW_BITS;
  return (
    <div
      className="lesson-picture"
      // The pictures are in English only.
      lang="en"
      data-before={isBefore || undefined}
      data-asking={isAsking || undefined}
    >
      {has("address") || has("words") ? (
        <div
          className="lesson-address"
          data-words={(has("words") && !isBefore) || undefined}
        >
          <AccessBand
            machine={machine}
            step={done}
            phone={fields}
            tight={phone}
            keyOf={has("tlb") ? structure : undefined}
            words={
              has("words") && !isBefore ? (
                <AccessWords machine={machine} step={done} phone={phone} />
              ) : undefined
            }
          />
        </div>
      ) : null}
      {has("walk") ? <Walk {...props} /> : null}
      {has("tlb") ? (
        <LessonTlb
          picture={picture}
          regions={props.whole.report.regions}
          phone={phone}
          question={question}
          asked={question && askedArray(question.posed, picture)}
          all={props.allArrays}
        />
      ) : null}
      <Suspense>
        <Whole {...props} />
      </Suspense>
    </div>
  );
}

function Walk({ picture, phone, onWalkAt }: LessonPictureProps) {
  const { machine, step, columns, walkAt } = picture;
  const shared = {
    machine,
    step,
    phone,
    ...(walkAt !== null && {
      owned: {
        at: walkAt,
        // The next reference is the question.
        onAt: picture.isAsking ? nothing : onWalkAt,
      },
    }),
  };
  if (step.translations[0]?.nested)
    return (
      <Suspense>
        <NestedPanels
          {...shared}
          columns={columns}
          side="walk"
          onSide={nothing}
          tlb={null}
        />
      </Suspense>
    );
  return <WalkPanel {...shared} />;
}

/** What the whole run counts, and the programs that made it. */
function Whole(props: LessonPictureProps) {
  const { say, picture, show, whole, phone, programs, onPrograms, ran } = props;
  const { machine, step } = picture;
  const { report, timeline, curve } = whole;
  const { language } = useSpoken();
  return (
    <>
      {show.includes("loops") ? (
        <ProgramTexts
          {...{ say, language }}
          programs={programs}
          sizes={sizesOf(programs)}
          size={ran?.n}
          isRunning={ran?.runs.length === 0 && ran.problem === undefined}
          problem={ran?.problem}
          onRun={props.onRunPrograms ?? nothing}
          onOpen={onPrograms}
        >
          {ran?.runs[0] ? (
            <ProgramNumbers first={ran.runs[0]} second={ran.runs[1]} />
          ) : null}
        </ProgramTexts>
      ) : null}
      {show.includes("timeline") && timeline ? (
        <TimelinePanel
          timeline={timeline}
          nAccesses={report.trace.accesses}
          cursor={step.index}
          compact={phone}
          onSeek={nothing}
          onBrush={nothing}
          onReset={nothing}
        />
      ) : null}
      {show.includes("curve") && curve ? (
        <div className="lesson-curve">
          <CurveChart
            lines={[curve.line]}
            points={curve.points}
            size={curve.line.id}
            other={undefined}
            isOfWhole
            arrayOf={() => undefined}
            onPick={nothing}
            onOpen={nothing}
          />
        </div>
      ) : null}
      {show.includes("totals") ? (
        <div className="lesson-totals">
          {runTables(report, machine)
            .slice(0, 1)
            .map((table) => (
              <CountTable key={table.title} table={table} open />
            ))}
        </div>
      ) : null}
    </>
  );
}

/** The replay of one trace on one machine: access, walk, TLBs, timeline, transport. */
import { Suspense, lazy, useState } from "react";
import type { StepView } from "../../engine/generated/StepView";
import type { MachineView } from "../../engine/generated/MachineView";
import { coreText, shownCores, stepOn, vmText } from "../../model/config/cores";
import { hasHappenings } from "../../model/replay/happened";
import { isGated } from "../../state/selectors";
import { useChoice } from "../../views/shared/choices";
import { AccessBand } from "../../views/replay/AccessBand";
import { ProgressBar } from "../../views/shared/Progress";
import { TlbPanel } from "../../views/tlb/TlbPanel";
import type { NestedSide } from "../../views/walk/NestedPanels";
import { WalkPanel } from "../../views/walk/WalkPanel";
import { useActions, useApp } from "../context";
import { StartUp } from "../frame/StartUp";
import { TimelineSection } from "./TimelineSection";
import { TransportSection } from "./TransportSection";
import { useDelayed } from "../shared/useDelayed";
import type { Dialog } from "../frame/useKeys";
import {
  useIsFull,
  useIsLow,
  useIsLowest,
  useIsMedium,
  useIsPhone,
} from "../shared/useMedia";
import "./replay.css";

/** The pictures of virtual machines, loaded when there is one. */
const NestedPanels = lazy(() =>
  import("../../views/walk/NestedPanels").then((module) => ({
    default: module.NestedPanels,
  })),
);

const AccessWords = lazy(() =>
  import("../../views/replay/AccessWords").then((module) => ({
    default: module.AccessWords,
  })),
);

const EffectsBand = lazy(() =>
  import("../../views/replay/EffectsBand").then((module) => ({
    default: module.EffectsBand,
  })),
);

const AskButton = lazy(() =>
  import("./WalkTools").then((module) => ({ default: module.AskButton })),
);

const WalkTools = lazy(() =>
  import("./WalkTools").then((module) => ({ default: module.WalkTools })),
);

const SourceSection = lazy(() =>
  import("./SourceSection").then((module) => ({
    default: module.SourceSection,
  })),
);

const WALK_TOOLS = (
  <Suspense>
    <WalkTools />
  </Suspense>
);

const SIDES = ["walk", "tlb"] as const;

/** Above this speed in accesses per second, nothing is animated. */
const FAST = 20;

export interface ReplayScreenProps {
  readonly onDialog: (dialog: Dialog) => void;
}

const SamplesGate = lazy(() =>
  import("../samples/SamplesGate").then((module) => ({
    default: module.SamplesGate,
  })),
);

export function ReplayScreen({ onDialog }: ReplayScreenProps) {
  // Samples that are not the accesses of a program open their own view instead of a replay.
  const gated = useApp((state) => (isGated(state) ? state.trace : undefined));
  if (gated)
    return (
      <Suspense>
        <SamplesGate trace={gated} />
      </Suspense>
    );
  return <Replay onDialog={onDialog} />;
}

function Replay({ onDialog }: ReplayScreenProps) {
  const machine = useApp((state) => state.machine);
  const snapshot = useApp((state) => state.snapshot);
  // The configuration has changed, and the pictures still show the run before.
  const stale = useApp((state) => state.stale);
  return (
    <div className="replay" data-stale={stale || undefined}>
      <TaskBar />
      {machine && snapshot ? (
        <Pictures
          machine={machine}
          step={snapshot.step}
          columns={snapshot.columns}
          core={snapshot.core}
          onDialog={onDialog}
        />
      ) : (
        <StartUp />
      )}
      <TimelineSection />
      <TransportSection onDialog={onDialog} />
    </div>
  );
}

interface PicturesProps {
  readonly machine: MachineView;
  readonly step: StepView;
  readonly columns: Parameters<typeof TlbPanel>[0]["columns"];
  /** The core of the columns; missing = the core of the access. */
  readonly core: number | undefined;
  readonly onDialog: (dialog: Dialog) => void;
}

function Pictures({ machine, step, columns, core, onDialog }: PicturesProps) {
  const playing = useApp((state) => state.playing);
  const isFast = useApp(({ playing, speed }) => playing && speed > FAST);
  const cores = useApp(
    ({ configuration }) => configuration?.setup.cores ?? "one",
  );
  const hasLines = useApp(({ trace }) => trace?.has_lines ?? false);
  const { goTo, jump, pin, showCore } = useActions();
  const phone = useIsPhone();
  const low = useIsLow();
  const short = useIsMedium();
  const full = useIsFull();
  const lowest = useIsLowest();
  const [which, setWhich] = useForStep(step.index, 0);
  // Another machine has other structures.
  const pinned = useApp(({ pinned }) =>
    pinned?.machine === machine ? pinned.structure : null,
  );
  const [side = "walk", setSide] = useChoice<NestedSide>("side", SIDES);
  const band = { machine, step, which, phone };
  const shared = { ...band, low, tools: WALK_TOOLS };
  const nested = step.translations[which]?.nested ?? null;
  const onNextWalk = () => void jump({ what: "walk" }, 1);
  const showStructure = (structure: number) => {
    pin(structure);
    setSide("tlb");
  };
  const words = { ...band, short, onStructure: showStructure };
  const hasEffects = hasHappenings(step);
  const compact = hasEffects && full;
  const effects = hasEffects ? (
    <EffectsBand
      step={step}
      machine={machine}
      cores={cores}
      compact={compact}
      words={compact ? <AccessWords {...words} short={false} /> : undefined}
      onStructure={showStructure}
    />
  ) : null;
  const tlb = (
    <TlbPanel
      {...band}
      low={low}
      step={stepOn(step, core)}
      columns={columns}
      hold={isFast}
      pinned={pinned}
      onPin={(structure) => pin(structure ?? undefined)}
      core={coreText(cores, step.access)}
      cores={{
        choices: shownCores(step, cores, core),
        shown: core,
        onChange: (core) => void showCore(core),
      }}
      onSeek={(index) => void goTo(index)}
    />
  );
  return (
    <>
      <div className="replay-access" data-testid="access">
        <AccessBand
          {...band}
          words={
            <Suspense fallback={<div className="access-words-space" />}>
              <AccessWords
                {...words}
                announce={!playing}
                unseen={compact || lowest}
              />
              {compact ? effects : null}
            </Suspense>
          }
          fly={!isFast}
          tools={
            <Suspense>
              <AskButton onDialog={onDialog} />
            </Suspense>
          }
          core={[coreText(cores, step.access), vmText(step.vm, machine)]
            .filter((text) => text !== "")
            .join(", ")}
          onWhich={setWhich}
        />
        {compact ? null : <Suspense>{effects}</Suspense>}
        {hasLines ? (
          <Suspense>
            <SourceSection />
          </Suspense>
        ) : null}
      </div>
      {nested ? (
        <div className="replay-panels replay-panels-nested" tabIndex={-1}>
          <Suspense>
            <NestedPanels
              {...shared}
              low={lowest ? "very" : low}
              columns={columns}
              side={side}
              onSide={setSide}
              tlb={tlb}
              onStructure={showStructure}
              onNextWalk={onNextWalk}
            />
          </Suspense>
        </div>
      ) : (
        <div className="replay-panels" tabIndex={-1}>
          <WalkPanel {...shared} onNextWalk={onNextWalk} />
          {tlb}
        </div>
      )}
    </>
  );
}

/** A choice for one access: the next access starts with `initial` again. */
function useForStep(index: number, initial: number) {
  const [held, setHeld] = useState({ index, value: initial });
  const value = held.index === index ? held.value : initial;
  return [value, (next: number) => setHeld({ index, value: next })] as const;
}

/** A progress bar above the pictures for work that takes longer than a moment. */
function TaskBar() {
  const task = useDelayed(useApp((state) => state.task));
  return (
    <div className="replay-task" aria-live="polite">
      {task ? (
        <ProgressBar
          label={task.label}
          done={task.progress?.done ?? 0}
          total={task.progress?.total}
        />
      ) : null}
    </div>
  );
}

/** The user's programs and their last runs. */
import { useEffect, useMemo, useState } from "react";
import { exportStem } from "../../model/import/exportStem";
import { LOOP_EXAMPLES, LOOP_PAIRS } from "../../model/loop/examples";
import type { LoopHome, LoopPrograms, LoopSlot } from "../../model/loop/loop";
import { programAt, sameSetup } from "../../model/loop/loop";
import type { CpuModel } from "../../engine/generated/CpuModel";
import {
  configurationOf,
  DEFAULT_CPU,
  modelOf,
} from "../../state/config/configurations";
import { LoopPage } from "../../views/loop/LoopPage";
import { PageFactsContext } from "../../views/shared/picture/PageFacts";
import { TraceTagContext } from "../../views/shared/TraceTag";
import { useActions, useApp, useAppStore } from "../context";
import { usePageFacts } from "../frame/usePageFacts";
import { LoopPictures } from "./LoopPictures";

export function LoopScreen() {
  const loop = useApp((state) => state.loop);
  const setup = useApp((state) => state.configuration?.setup);
  const cpus = useApp((state) => state.cpus);
  const home = useMemo(() => homeOf(cpus), [cpus]);
  const isBusy = useApp((state) => state.task !== undefined);
  const actions = useActions();
  const [mac] = useState(() => navigator.userAgent.includes("Mac"));
  const { runLoop, followMachine, leaveLoops } = actions;
  // The first run waits for the replay's first picture, and every run for the machine.
  useEffect(() => {
    if (!loop || !setup || isBusy) return;
    for (const slot of slotsOf(loop.programs)) {
      const program = programAt(loop, slot);
      if (!program || program.run?.status === "running") continue;
      if (program.waits === "screen") void runLoop(slot);
      else if (program.shown && !sameSetup(program.tried, setup))
        void followMachine(slot);
    }
  }, [loop, setup, isBusy, runLoop, followMachine]);
  useEffect(() => () => void leaveLoops(), [leaveLoops]);
  const facts = usePictureFacts();
  if (!loop) return null;
  return (
    <PageFactsContext value={facts}>
      <TraceTagContext value={null}>
        <LoopPage
          loop={loop}
          setup={setup}
          home={home}
          examples={LOOP_EXAMPLES}
          pairs={LOOP_PAIRS}
          runKey={mac ? "⌘" : "Ctrl"}
          onEdit={actions.editLoop}
          onExample={(slot, example) => void actions.openExample(slot, example)}
          onPair={({ programs }) => void actions.showPair(programs)}
          onRun={(slot) => void runLoop(slot)}
          onCancel={(slot) => void actions.cancelLoop(slot)}
          onAdd={() => void actions.addProgram()}
          onRemove={() => void actions.removeProgram()}
          onHome={() => void actions.chooseCpu(DEFAULT_CPU)}
          onOpen={(slot) => void actions.openLoop(slot)}
          pictures={(slot) => <LoopPictures slot={slot} />}
        />
      </TraceTagContext>
    </PageFactsContext>
  );
}

function homeOf(cpus: readonly CpuModel[]): LoopHome | undefined {
  const model = modelOf({ cpus }, DEFAULT_CPU);
  return model && { name: model.name, ...configurationOf(model).setup };
}

function slotsOf(programs: LoopPrograms): readonly LoopSlot[] {
  return programs.length === 2 ? [0, 1] : [0];
}

/** Saved pictures have the names of the programs that ran. */
function usePictureFacts() {
  const store = useAppStore();
  const page = usePageFacts();
  return useMemo(
    () => ({
      ...page,
      name: () => {
        const { loop, configuration } = store.getState();
        const names =
          loop?.programs.map(({ shown }) => shown?.name ?? "") ?? [];
        return `${exportStem(names.join(" "))} ${configuration?.cpu ?? ""}`;
      },
    }),
    [page, store],
  );
}

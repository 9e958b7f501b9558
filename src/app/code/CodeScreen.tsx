/** The user's programs and their last runs. */
import { useEffect, useMemo, useState } from "react";
import { exportStem } from "../../model/import/exportStem";
import { EXAMPLES, PAIRS, withOwnName } from "../../model/code/examples";
import { linesOf } from "../../model/code/lineCounts";
import type {
  CodeHome,
  CodePrograms,
  ProgramSlot,
} from "../../model/code/code";
import { programAt, sameSetup } from "../../model/code/code";
import type { CpuModel } from "../../engine/generated/CpuModel";
import {
  configurationOf,
  DEFAULT_CPU,
  modelOf,
} from "../../state/config/configurations";
import { CodePage } from "../../views/code/CodePage";
import { PageFactsContext } from "../../views/shared/picture/PageFacts";
import { TraceTagContext } from "../../views/shared/TraceTag";
import { useActions, useApp, useAppStore } from "../context";
import { usePageFacts } from "../frame/usePageFacts";
import { ProgramPictures } from "./ProgramPictures";

export function CodeScreen() {
  const codeScreen = useApp((state) => state.codeScreen);
  const setup = useApp((state) => state.configuration?.setup);
  const cpus = useApp((state) => state.cpus);
  const home = useMemo(() => homeOf(cpus), [cpus]);
  const isBusy = useApp((state) => state.task !== undefined);
  const actions = useActions();
  const [mac] = useState(() => navigator.userAgent.includes("Mac"));
  const { runProgram, followMachine, leaveCode } = actions;
  // The first run waits for the replay's first picture, and every run for the machine.
  useEffect(() => {
    if (!codeScreen || !setup || isBusy) return;
    for (const slot of slotsOf(codeScreen.programs)) {
      const program = programAt(codeScreen, slot);
      if (!program || program.run?.status === "running") continue;
      if (program.waits === "screen") void runProgram(slot);
      else if (program.shown && !sameSetup(program.tried, setup))
        void followMachine(slot);
    }
  }, [codeScreen, setup, isBusy, runProgram, followMachine]);
  useEffect(() => () => void leaveCode(), [leaveCode]);
  const facts = usePictureFacts();
  const goHome = async () => {
    await actions.chooseCpu(DEFAULT_CPU);
    if (home) await actions.setOs(home.os);
  };
  const lines = [useLines(0), useLines(1)];
  if (!codeScreen) return null;
  return (
    <PageFactsContext value={facts}>
      <TraceTagContext value={null}>
        <CodePage
          codeScreen={codeScreen}
          setup={setup}
          home={home}
          examples={EXAMPLES}
          pairs={PAIRS}
          lines={lines}
          onLanguage={(slot, language) =>
            void actions.chooseLanguage(slot, language)
          }
          onLoadCompiler={() => void actions.loadCompiler()}
          onCancelCompiler={() => void actions.cancelCompiler()}
          onLine={(slot, line, direction) =>
            void actions.goToLine(slot, line, direction)
          }
          runKey={mac ? "⌘" : "Ctrl"}
          onEdit={(slot, part) => {
            const program = programAt(codeScreen, slot);
            if (program) actions.editProgram(slot, withOwnName(program, part));
          }}
          onExample={(slot, example) => void actions.openExample(slot, example)}
          onPair={({ programs }) => void actions.showPair(programs)}
          onRun={(slot) => void runProgram(slot)}
          onCancel={(slot) => void actions.cancelProgram(slot)}
          onAdd={(example) => void actions.addProgram(example)}
          onRemove={() => void actions.removeProgram()}
          onHome={() => void goHome()}
          onOpen={(slot) => void actions.openProgram(slot)}
          pictures={(slot) => <ProgramPictures slot={slot} />}
        />
      </TraceTagContext>
    </PageFactsContext>
  );
}

/** The counts by line of a program's last run. */
function useLines(slot: ProgramSlot) {
  const shown = useApp((state) => programAt(state.codeScreen, slot)?.shown);
  const attribution = shown?.attribution;
  const about = shown?.result.compiled?.about;
  return useMemo(
    () => attribution && linesOf({ attribution, about }),
    [attribution, about],
  );
}

function homeOf(cpus: readonly CpuModel[]): CodeHome | undefined {
  const model = modelOf({ cpus }, DEFAULT_CPU);
  return model && { name: model.name, ...configurationOf(model).setup };
}

function slotsOf(programs: CodePrograms): readonly ProgramSlot[] {
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
        const { codeScreen, configuration } = store.getState();
        const names =
          codeScreen?.programs.map(({ shown }) => shown?.name ?? "") ?? [];
        return `${exportStem(names.join(" "))} ${configuration?.cpu ?? ""}`;
      },
    }),
    [page, store],
  );
}

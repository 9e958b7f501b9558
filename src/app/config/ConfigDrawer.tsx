import { Suspense, lazy, useEffect } from "react";
import { modelOf } from "../../state/config/configurations";
import { isCustom } from "../../state/selectors";
import { programRegions } from "../../model/code/regions";
import { useActions, useApp } from "../context";
import type { EditorTab } from "./editorTab";

const ConfigPanel = lazy(() =>
  import("../../views/config/ConfigPanel").then((module) => ({
    default: module.ConfigPanel,
  })),
);

export interface ConfigDrawerProps {
  readonly tab: EditorTab;
  readonly onTab: (tab: EditorTab) => void;
  readonly onClose: () => void;
}

const NO_REGIONS: readonly never[] = [];

/** The editor, loaded when it is first opened. */
export function ConfigDrawer({ tab, onTab, onClose }: ConfigDrawerProps) {
  const configuration = useApp((state) => state.configuration);
  const cpus = useApp((state) => state.cpus);
  const machine = useApp((state) => state.machine);
  const isCode = useApp((state) => state.screen === "code");
  const ofTrace = useApp((state) => state.trace?.regions ?? NO_REGIONS);
  const programs = useApp((state) => state.codeScreen);
  const touched = isCode ? programRegions(programs) : ofTrace;
  const recorded = useApp((state) => state.trace?.recorded);
  const revision = useApp((state) => state.revision);
  const jsonDraft = useApp((state) => state.jsonDraft);
  const edited = useApp(isCustom);
  const canUndo = useApp(({ past }) => past.length > 0);
  const canRedo = useApp(({ future }) => future.length > 0);
  const { setMachine, setOs, resetMachine, undo, redo, keepJson, loadRest } =
    useActions();
  // The sources of the numbers come with the rest, in case the page has not fetched it yet.
  useEffect(() => void loadRest(), [loadRest]);
  if (!configuration || !machine) return null;
  const { setup, cpu } = configuration;
  return (
    <Suspense>
      <ConfigPanel
        tab={tab}
        machine={setup.machine}
        os={setup.os}
        model={modelOf({ cpus }, cpu)}
        edited={edited}
        revision={revision}
        jsonDraft={jsonDraft}
        onJsonDraft={keepJson}
        sizes={machine.page_sizes}
        touched={touched}
        recorded={recorded}
        canUndo={canUndo}
        canRedo={canRedo}
        onTab={onTab}
        onMachine={setMachine}
        onOs={setOs}
        onReset={() => void resetMachine()}
        onUndo={() => void undo()}
        onRedo={() => void redo()}
        onClose={onClose}
      />
    </Suspense>
  );
}

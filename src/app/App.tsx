/** The whole page: header, trace bar, the screen, and what floats above it. */
import { lazy, Suspense, useCallback, useState } from "react";
import { useTopOfScreen } from "./frame/useTopOfScreen";
import { useActions, useApp, useAppStore } from "./context";
import { DropTarget } from "./import/DropTarget";
import { Around } from "./frame/Around";
import { Part } from "./frame/Breakdown";
import { Header } from "./frame/Header";
import { SkipLinks } from "./frame/SkipLinks";
import { Messages } from "./frame/Messages";
import { ReplayScreen } from "./replay/ReplayScreen";
import { useSpoken } from "./language/spoken";
import { isGated } from "../state/selectors";
import type { AppState } from "../state/store";
import type { Nav } from "../texts/nav";
import { useChoices } from "./shared/useChoices";
import { TypeAhead } from "./frame/TypeAhead";
import { useKeys } from "./frame/useKeys";
import type { Dialog } from "./frame/useKeys";
import { usePaste } from "./import/usePaste";
import { TraceStrip } from "./replay/TraceStrip";
import "./app.css";

const FindDialog = lazy(() =>
  import("./replay/FindDialog").then((module) => ({
    default: module.FindDialog,
  })),
);

const ImportNotice = lazy(() =>
  import("./frame/ImportNotice").then((module) => ({
    default: module.ImportNotice,
  })),
);

const ConfigDrawer = lazy(() =>
  import("./config/ConfigDrawer").then((module) => ({
    default: module.ConfigDrawer,
  })),
);

const TotalsDrawer = lazy(() =>
  import("./replay/TotalsDrawer").then((module) => ({
    default: module.TotalsDrawer,
  })),
);

const WelcomeScreen = lazy(() =>
  import("./welcome/WelcomeScreen").then((module) => ({
    default: module.WelcomeScreen,
  })),
);

const CiteDialog = lazy(() =>
  import("./frame/CiteDialog").then((module) => ({
    default: module.CiteDialog,
  })),
);
const KeysDialog = lazy(() =>
  import("./frame/KeysDialog").then((module) => ({
    default: module.KeysDialog,
  })),
);

const AskDialog = lazy(() =>
  import("./exercise/AskDialog").then((module) => ({
    default: module.AskDialog,
  })),
);

const Palette = lazy(() =>
  import("./frame/Palette").then((module) => ({ default: module.Palette })),
);

const MachinesDialog = lazy(() =>
  import("./config/MachinesDialog").then((module) => ({
    default: module.MachinesDialog,
  })),
);

const SaveRunDialog = lazy(() =>
  import("./compare/RunDialog").then((module) => ({
    default: module.SaveRunDialog,
  })),
);

const ImportDialog = lazy(() =>
  import("./import/ImportDialog").then((module) => ({
    default: module.ImportDialog,
  })),
);

const RemoteDialog = lazy(() =>
  import("./import/RemoteDialog").then((module) => ({
    default: module.RemoteDialog,
  })),
);

const ExperimentsScreen = lazy(() =>
  import("./experiments/ExperimentsScreen").then((module) => ({
    default: module.ExperimentsScreen,
  })),
);

const CompareScreen = lazy(() =>
  import("./compare/CompareScreen").then((module) => ({
    default: module.CompareScreen,
  })),
);

const MeasuredScreen = lazy(() =>
  import("./measured/MeasuredScreen").then((module) => ({
    default: module.MeasuredScreen,
  })),
);

const MeasureScreen = lazy(() =>
  import("./measure/MeasureScreen").then((module) => ({
    default: module.MeasureScreen,
  })),
);

const WhatIfScreen = lazy(() =>
  import("./whatif/WhatIfScreen").then((module) => ({
    default: module.WhatIfScreen,
  })),
);

const CodeScreen = lazy(() =>
  import("./code/CodeScreen").then((module) => ({
    default: module.CodeScreen,
  })),
);

const LearnScreen = lazy(() =>
  import("./learn/LearnScreen").then((module) => ({
    default: module.LearnScreen,
  })),
);

const BackStrip = lazy(() =>
  import("./learn/BackStrip").then((module) => ({
    default: module.BackStrip,
  })),
);

const GlossaryScreen = lazy(() =>
  import("./glossary/GlossaryScreen").then((module) => ({
    default: module.GlossaryScreen,
  })),
);

const SamplesScreen = lazy(() =>
  import("./samples/SamplesScreen").then((module) => ({
    default: module.SamplesScreen,
  })),
);

const GenerateDialog = lazy(() =>
  import("./generate/GenerateDialog").then((module) => ({
    default: module.GenerateDialog,
  })),
);

export function App() {
  const store = useAppStore();
  const actions = useActions();
  const { reportUnexpected } = actions;
  const screen = useApp((state) => state.screen);
  useTopOfScreen(screen);
  const welcome = useApp((state) => state.welcome);
  const isReplay = useApp(
    (state) =>
      state.screen === "code" ||
      ((state.screen === "replay" || state.screen === "what-if") &&
        !isGated(state)),
  );
  const isFromLesson = useApp(({ back }) => back !== undefined);
  const isRemote = useApp(({ remote }) => remote !== undefined);
  const { language, nav } = useSpoken();
  const title = useApp((state) => pageTitle(state, nav));
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [editor, setEditor] = useState<EditorTab | null>(null);
  const close = useCallback(() => setDialog(null), []);
  const cite = useCallback(() => setDialog("cite"), []);
  const ask = useCallback(() => setDialog("import"), []);
  const openDialog = useCallback(
    (dialog: Dialog) => {
      // The latest imported file stays in its dialog, for other choices.
      if (dialog === "import") actions.dropDraft();
      setDialog(dialog);
    },
    [actions],
  );
  const paste = useCallback(
    (text: string) => {
      if (store.getState().screen === "measured") {
        void actions.openMeasured("pasted text", text);
        return;
      }
      void actions.lookAt({ file: new Blob([text]), name: "pasted text" });
      setDialog("import");
    },
    [store, actions],
  );
  const choices = useChoices();
  const totals = choices.values["totals"];
  const { onChoose } = choices;
  const closeTotals = useCallback(
    () => onChoose("totals", undefined),
    [onChoose],
  );
  // The page has space for only one drawer.
  const edit = useCallback(
    (tab: EditorTab | null) => {
      setEditor(tab);
      closeTotals();
    },
    [closeTotals],
  );
  const toggleEditor = useCallback(() => {
    setEditor((open) => (open ? null : "machine"));
    closeTotals();
  }, [closeTotals]);
  const toggleTotals = useCallback(() => {
    const { screen, choices } = store.getState();
    const isOpen = choices[screen]?.["totals"] !== undefined;
    onChoose("totals", isOpen ? undefined : "counters");
    setEditor(null);
  }, [store, onChoose]);
  const showsTotals = totals !== undefined;
  usePaste(paste);
  useKeys({
    store,
    actions,
    openDialog,
    toggleEditor,
    toggleTotals,
  });

  return (
    <Around>
      {/* What is not translated is in English. */}
      <div className="app" lang="en">
        <title>{title}</title>
        <SkipLinks />
        <Header onDialog={openDialog} onEdit={edit} onTotals={toggleTotals} />
        {!welcome && (screen === "replay" || screen === "what-if") ? (
          <TraceStrip
            showsTotals={showsTotals}
            onTotals={toggleTotals}
            onDialog={openDialog}
          />
        ) : null}
        <main
          className="app-main"
          lang={
            welcome || screen === "glossary" || screen === "learn"
              ? language
              : undefined
          }
        >
          <Part key={screen}>
            {welcome ? (
              <Suspense fallback={<div className="welcome" />}>
                <WelcomeScreen onDialog={openDialog} />
              </Suspense>
            ) : screen === "replay" ? (
              <>
                {isFromLesson ? <BackStrip /> : null}
                <ReplayScreen onDialog={openDialog} />
              </>
            ) : screen === "learn" ? (
              <LearnScreen />
            ) : screen === "what-if" ? (
              <WhatIfScreen />
            ) : screen === "compare" ? (
              <CompareScreen onEdit={edit} onDialog={openDialog} />
            ) : screen === "samples" ? (
              <>
                <ImportNotice onAgain={ask} />
                <SamplesScreen onDialog={setDialog} />
              </>
            ) : screen === "code" ? (
              <CodeScreen />
            ) : screen === "glossary" ? (
              <GlossaryScreen />
            ) : screen === "measured" ? (
              <MeasuredScreen />
            ) : screen === "measure" ? (
              <MeasureScreen />
            ) : (
              <ExperimentsScreen />
            )}
          </Part>
        </main>
        <Messages
          isImportOpen={dialog === "import"}
          onAgain={ask}
          isGenerateOpen={dialog === "generate"}
        />
        <Part key={`editor ${editor !== null}`} onError={reportUnexpected}>
          {editor && (isReplay || screen === "compare") ? (
            <ConfigDrawer
              tab={editor}
              onTab={setEditor}
              onClose={() => setEditor(null)}
            />
          ) : null}
        </Part>
        <Part key={`totals ${showsTotals}`} onError={reportUnexpected}>
          {showsTotals && isReplay && screen !== "code" ? (
            <TotalsDrawer onClose={closeTotals} onCite={cite} />
          ) : null}
        </Part>
        <Part
          key={`dialog ${dialog}`}
          onError={reportUnexpected}
          fallback={<TypeAhead />}
        >
          {dialog === "find" ? (
            <FindDialog onClose={close} />
          ) : dialog === "keys" ? (
            <KeysDialog onClose={close} onCite={cite} />
          ) : dialog === "cite" ? (
            <CiteDialog onClose={close} />
          ) : dialog === "palette" ? (
            <Palette onClose={close} onDialog={openDialog} />
          ) : dialog === "ask" ? (
            <AskDialog onClose={close} />
          ) : dialog === "machines" ? (
            <MachinesDialog onClose={close} />
          ) : dialog === "save" ? (
            <SaveRunDialog onClose={close} />
          ) : dialog === "import" ? (
            <ImportDialog
              onClose={close}
              onGenerate={() => setDialog("generate")}
            />
          ) : dialog === "generate" ? (
            <GenerateDialog onClose={close} />
          ) : null}
        </Part>
        <Part key={`remote ${isRemote}`} onError={reportUnexpected}>
          {isRemote ? <RemoteDialog /> : null}
        </Part>
        <DropTarget onDrop={close} onAsk={ask} />
      </div>
    </Around>
  );
}

/** The names of what ran, as above the pictures. */
function codeTitle({ codeScreen }: AppState): string {
  const names = codeScreen?.programs.map(
    ({ name, shown }) => shown?.name ?? name,
  );
  return names?.join(" and ") ?? "";
}

/** The open item first, then the screen: browser tabs show only the beginning. */
function pageTitle(state: AppState, { screens }: Nav): string {
  const { screen } = state;
  const name = screen === "replay" ? undefined : screens[screen];
  return [openItem(state), name, "Pagewalk"].filter(Boolean).join(" · ");
}

function openItem(state: AppState): string | undefined {
  const { screen, experiments, experiment, trace } = state;
  if (["learn", "glossary", "measured", "measure"].includes(screen))
    return undefined;
  if (screen === "code") return codeTitle(state);
  return screen === "experiments"
    ? experiments?.find(({ id }) => id === experiment)?.title
    : trace?.name;
}

/** The tab that the configuration drawer shows. */
export type EditorTab = "machine" | "mapping" | "json";

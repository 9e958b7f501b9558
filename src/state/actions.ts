/** All user actions, as functions for the views. This is the only asynchronous code of the UI. */
import type { PagePolicy } from "../engine/generated/PagePolicy";
import type { AttributionFilter } from "../model/attribution/rows";
import type { Permalink } from "../model/permalink/permalink";
import type { Context } from "./context";
import { createContext, set } from "./context";
import type { Services } from "./context";
import * as attribution from "./replay/attribution";
import type { ComparePart } from "./compare/state";
import * as cursor from "./replay/cursor";
import type { ImportSource } from "./import/draft";
import type { ImportRequest } from "./import/importFile";
import { reportErrors } from "./reportErrors";
import { loadRest } from "./start/loadRest";
import { dismiss, notify, notifyUnexpected } from "./notices";
import { pin } from "./replay/pin";
import { createPlayer } from "./replay/player";
import { loadKept } from "./import/keptActions";
import type { GenerateRequest } from "./generate/actions";
import { chooseView, showComparePart } from "./screens";
import type { RunWords } from "./compare/savedActions";
import { chooseCpu } from "./config/chooseCpu";
import * as setup from "./config/setup";
import { editProgram } from "./code/edit";
import { open, start } from "./start/start";
import { leaveWelcome, showWelcome, WATCHED } from "./start/welcome";
import type { AppStore, Theme, TraceWindow } from "./store";
import * as timeline from "./replay/timeline";
import * as traces from "./import/traceActions";
import type { Setup, Target, Workload } from "../engine/engine";
import type { ChaseReport } from "../engine/generated/ChaseReport";
import type { EventFamily } from "../engine/generated/EventFamily";
import type { ExportFormat } from "../engine/generated/ExportFormat";
import type { Reading, Take } from "../model/import/draft";
import type { CodeLanguage } from "../model/code/build";
import type { ProgramText, ProgramSlot } from "../model/code/code";
import type { CodeExample } from "../model/code/scriptExamples";
import type { MeasureJob } from "../model/measure/state";
import type { Part } from "../engine/generated/Part";
import type { MachineConfig } from "../engine/generated/MachineConfig";
import type { Question } from "../engine/generated/Question";
import type { RunWindow } from "../engine/generated/RunWindow";
import type { OsConfig } from "../engine/generated/OsConfig";
import type { BuiltInTrace } from "./import/traces";
import type { WhatIfView } from "../model/whatif/questions";
import type { Side } from "../model/compare/sides";
import type { SurveyChoice } from "../model/samples/state";
import type { Configuration } from "./config/configurations";

/** Actions of screens and dialogs that load later load with them. */
const experiments = () => import("./experiments/actions");
const search = () => import("./replay/findAddress");
const generate = () => import("./generate/actions");
const parts = () => import("./experiments/openPart");
const measured = () => import("./measured/actions");
const measuring = () => import("./measure/actions");
const saved = () => import("./compare/savedActions");
const compare = () => import("./compare/actions");
const models = () => import("./compare/models");
const files = () => import("./import/importFile");
const exports = () => import("./import/export");
const remote = () => import("./import/remote");
const programs = () => import("./code/actions");
const codeDraft = () => import("./code/draft");
const openPrograms = () => import("./code/open");
const built = () => import("./code/built");
const sourceLines = () => import("./replay/source");
const codeLines = () => import("./code/lines");
const codeTimeline = () => import("./code/timeline");
const draft = onUse(() => import("./import/draft"));
const keptList = onUse(() => import("./import/keptList"));
const surveys = onUse(() => import("./samples/actions"));
const samplesExample = () => import("./samples/example");
const savedMachines = () => import("./config/savedMachines");
const whatIf = onUse(() => import("./whatif/actions"));
const sweeps = () => import("./whatif/sweep");

/** Loads a module at its first use. Later uses begin at once, so that a pressed control changes at once. */
function onUse<T>(load: () => Promise<T>) {
  let loaded: T | undefined;
  return <R>(use: (module: T) => R | Promise<R>): Promise<R> =>
    loaded
      ? Promise.resolve(use(loaded))
      : load().then((module) => use((loaded = module)));
}

export type Actions = ReturnType<typeof createActions>;

export function createActions(store: AppStore, services: Services) {
  const context = createContext(store, services);
  const { play, pause, toggle, setSpeed } = createPlayer(context);
  return {
    /** Shows what the part of an address after `#` describes. */
    open: (hash: string) => open(context, hash),
    /** Shows the trace that `pagewalk open` serves with the page, as the part of the address after `#` says. */
    openServed: async (hash: string) =>
      (await import("./import/served")).openServed(context, hash),
    start: (link: Permalink = {}) => start(context, link),
    loadRest: () => loadRest(context),

    goTo: (index: number) => cursor.goTo(context, index),
    step: (by: number) => {
      pause();
      return cursor.step(context, by);
    },
    jump: (target: Target, direction: 1 | -1) =>
      cursor.jump(context, target, direction),
    pin: (structure: number | undefined) => pin(context, structure),
    showCore: (core: number | undefined) => cursor.showCore(context, core),
    findAddress: async (address: string) =>
      (await search()).findAddress(context, address),
    play,
    pause,
    toggle,
    setSpeed,

    openBuiltIn: (trace: BuiltInTrace) => traces.openBuiltIn(context, trace),
    importFile: async (request: ImportRequest) => {
      context.import?.abort();
      context.import = new AbortController();
      return (await files()).importFile(context, request);
    },
    lookAt: (source: ImportSource, onOther?: () => void) =>
      draft((it) => it.lookAt(context, source, onOther)),
    /** Resolves to true if the user must be asked about the file. */
    dropFile: (files: readonly ImportSource[]) =>
      draft((it) => it.dropFiles(context, files)),
    readAs: (part: Reading) => draft((it) => it.readAs(context, part)),
    take: (part: Partial<Take>) => draft((it) => it.take(context, part)),
    dropDraft: () => set(context, { draft: undefined }),
    importDraft: (onRead: () => void) =>
      draft((it) => it.importDraft(context, onRead)),
    exportTrace: async (format: ExportFormat) =>
      (await exports()).exportTrace(context, format),
    cancelExport: () => context.export?.abort(),
    loadKept: () => loadKept(context),
    openKept: (hash: string) => keptList((it) => it.openKept(context, hash)),
    deleteKept: (hash: string) =>
      keptList((it) => it.deleteKept(context, hash)),
    putBack: () => keptList((it) => it.putBack(context)),
    deleteAllKept: () => keptList((it) => it.deleteAllKept(context)),
    /** Fetches and imports the trace at the address of the link. */
    fetchRemote: async () => (await remote()).fetchRemote(context),
    closeRemote: () => {
      context.fetching?.abort();
      set(context, { remote: undefined });
    },
    cancelImport: () => traces.cancelImport(context),
    loadWorkloads: async () => (await generate()).loadWorkloads(context),
    checkWorkload: async (workload: Workload) =>
      (await generate()).checkWorkload(context, workload),
    generateTrace: async (request: GenerateRequest) =>
      (await generate()).generateTrace(context, request),
    cancelGenerate: () => context.generation?.abort(),
    /** The actions of the screen of lessons. */
    learn: async () => (await import("./learn/bound")).learnActions(context),
    /** The actions of exercises. */
    exercise: async () =>
      (await import("./exercise/bound")).exerciseActions(context),
    leaveLesson: () => set(context, { back: undefined }),
    editProgram: (slot: ProgramSlot, part: Partial<ProgramText>) =>
      editProgram(context, slot, part),
    openExample: async (slot: ProgramSlot, example: ProgramText) =>
      (await codeDraft()).openExample(context, slot, example),
    showPair: async (pair: readonly ProgramText[]) =>
      (await codeDraft()).showPair(context, pair),
    chooseLanguage: async (slot: ProgramSlot, language: CodeLanguage) =>
      (await codeDraft()).chooseLanguage(context, slot, language),
    loadCompiler: async () => (await built()).loadCompiler(context),
    cancelCompiler: async () => (await built()).cancelCompiler(context),
    goToLine: async (slot: ProgramSlot, line: number, direction: 1 | -1 = 1) =>
      (await codeLines()).goToLine(context, slot, line, direction),
    /** Looks up the line of an instruction of the open trace. */
    showSource: async (ip: string) =>
      (await sourceLines()).showSource(context, ip),
    goToWalkOf: async (
      place: { readonly file: string },
      line: number,
      direction: 1 | -1,
    ) => (await sourceLines()).goToWalkOf(context, place, line, direction),
    addProgram: async (example?: CodeExample) =>
      (await codeDraft()).addProgram(context, example),
    removeProgram: async () => (await codeDraft()).removeProgram(context),
    runProgram: async (slot: ProgramSlot) =>
      (await programs()).runProgram(context, slot),
    followMachine: async (slot: ProgramSlot) =>
      (await programs()).followMachine(context, slot),
    cancelProgram: async (slot: ProgramSlot) =>
      (await programs()).cancelRun(context, slot),
    leaveCode: async () => (await programs()).leaveCode(context),
    openProgram: async (slot: ProgramSlot) =>
      (await openPrograms()).openProgram(context, slot),
    goToOfProgram: async (slot: ProgramSlot, access: number) =>
      (await codeTimeline()).goToOfProgram(context, slot, access),
    openProgramWindow: async (slot: ProgramSlot, part?: TraceWindow) =>
      (await codeTimeline()).openProgramWindow(context, slot, part),
    setProgramGrid: async (
      slot: ProgramSlot,
      grid: { bins: number; rows: number },
    ) => (await codeTimeline()).setProgramGrid(context, slot, grid),
    showOnlyOfProgram: async (
      slot: ProgramSlot,
      only: AttributionFilter | undefined,
    ) => (await codeTimeline()).showOnlyOfProgram(context, slot, only),
    loadExperiments: async () => (await experiments()).loadExperiments(context),
    runExperiment: async (id: string) =>
      (await experiments()).runExperiment(context, id),
    runExperiments: async () => (await experiments()).runExperiments(context),
    cancelExperiment: (id: string) => context.experiments.get(id)?.abort(),
    cancelExperiments: () => {
      for (const abort of context.experiments.values()) abort.abort();
    },
    openPart: async (part: Part) => (await parts()).openPart(context, part),
    /** Reads the output of perf stat, from a file or a text. */
    openStatExample: async (id: string) =>
      (await measured()).openStatExample(context, id),
    openMeasured: async (name: string, from: Blob | string) =>
      (await measured()).openMeasured(context, name, from),
    /** Compares the counters again, since the run has changed. */
    measure: async () => (await measured()).measure(context),
    chooseFamily: async (family: EventFamily | undefined) =>
      (await measured()).chooseFamily(context, family),
    clearMeasured: async () => (await measured()).clearMeasured(context),
    survey: () => surveys((it) => it.survey(context)),
    openSamplesExample: async () =>
      (await samplesExample()).openSamplesExample(context),
    closeSamplesExample: async () =>
      (await samplesExample()).closeSamplesExample(context),
    measureThis: async (job: MeasureJob) =>
      (await measuring()).measureThis(context, job),
    cancelMeasure: () => context.measuring?.abort(),
    simulateMeasured: async (report: ChaseReport) =>
      (await measuring()).simulateMeasured(context, report),
    cancelSurvey: () => context.survey?.abort.abort(),
    chooseSamples: (choice: SurveyChoice) =>
      surveys((it) => it.chooseSamples(context, choice)),
    replayAsConsecutive: () => traces.replayAsConsecutive(context),
    showImport: (showsImport: boolean) =>
      set(context, { showsImport, foldsImport: false }),
    foldImport: () => set(context, { foldsImport: true }),

    chooseCpu: (id: string) => chooseCpu(context, id),
    choosePages: (pages: PagePolicy) => setup.choosePages(context, pages),
    setWalkCaches: (isOn: boolean) => setup.setWalkCaches(context, isOn),
    chooseSetup: (part: Partial<Setup>) => setup.choose(context, part),
    setMachine: (machine: MachineConfig) =>
      setup.configureMachine(context, machine),
    setOs: (os: OsConfig) => setup.configureMapping(context, os),
    configure: (configuration: Configuration) =>
      setup.configure(context, configuration),
    resetMachine: () => setup.resetMachine(context),
    undo: () => setup.undo(context),
    redo: () => setup.redo(context),
    keepJson: (jsonDraft: string | null) => set(context, { jsonDraft }),

    /** Counts a part of the trace, or the whole trace. */
    setRunWindow: (window: RunWindow | undefined) =>
      setup.setRunWindow(context, window),

    /** Counts the misses of the run by region, page and instruction. */
    attribute: () => attribution.attribute(context),
    /** Limits the timeline to some accesses, or shows all again. */
    showOnly: (filter: AttributionFilter | undefined) =>
      attribution.showOnly(context, filter),

    ask: (question: Question) => whatIf((it) => it.ask(context, question)),
    /** Runs the trace on another machine. If several trials follow each other, only the newest continues. */
    tryRun: (setup: Setup, isTrial = false) =>
      whatIf((it) => it.tryRun(context, setup, isTrial)),
    /** Cancels these questions; others continue. */
    cancelAsked: (questions: readonly Question[]) =>
      whatIf((it) => it.cancelAsked(context, questions)),
    chooseWhatIf: (part: Partial<Omit<WhatIfView, "change">>) =>
      whatIf((it) => it.chooseWhatIf(context, part)),
    changeWhatIf: (to: Pick<Setup, "machine" | "os">, moving?: string) =>
      whatIf((it) => it.changeWhatIf(context, to, moving)),
    runSweep: async (spec: string) => {
      const { trace } = store.getState();
      const { import: begun } = context;
      const { runSweep } = await sweeps();
      // Another trace may have been opened meanwhile.
      if (store.getState().trace === trace && context.import === begun)
        await runSweep(context, spec);
    },
    cancelSweep: () => context.sweep?.abort(),
    /** The finished rows of the sweep as CSV. */
    sweepCsv: async () => (await sweeps()).sweepCsv(context),
    restWhatIf: () => whatIf((it) => it.restWhatIf(context)),
    redoWhatIf: () => whatIf((it) => it.redoWhatIf(context)),
    undoWhatIf: () => whatIf((it) => it.undoWhatIf(context)),
    openWhatIf: (to: Pick<Setup, "machine" | "os">, cpu?: string) =>
      whatIf((it) => it.openWhatIf(context, to, cpu)),
    openSetup: (setup: Setup, cpu?: string) =>
      whatIf((it) => it.openSetup(context, setup, cpu)),

    openWindow: (window: TraceWindow) => timeline.openWindow(context, window),
    resetWindow: () => timeline.resetWindow(context),
    setGrid: (grid: { bins: number; rows: number }) =>
      timeline.setGrid(context, grid),

    comparePair: async () => (await compare()).comparePair(context),
    stopComparing: async () => (await compare()).stopComparing(context),
    goToBoth: async (index: number) =>
      (await compare()).goToBoth(context, index),
    jumpToDifference: async (direction: 1 | -1) =>
      (await compare()).jumpToDifference(context, direction),
    chooseRight: async (right: Side) =>
      (await compare()).chooseRight(context, right),
    compareWithNative: async () => (await compare()).compareWithNative(context),
    showComparePart: (part: ComparePart) => showComparePart(context, part),
    swapSides: async () => (await compare()).swapSides(context),
    openAsReplay: async (configuration: Configuration) =>
      (await compare()).openAsReplay(context, configuration),
    runModels: async () => (await models()).runModels(context),
    cancelModels: () => context.models?.abort(),
    rerunModels: async () => (await models()).rerunModels(context),

    loadMachines: async () => (await savedMachines()).loadMachines(context),
    saveMachine: async (name: string) =>
      (await savedMachines()).saveMachine(context, name),
    renameMachine: async (id: string, name: string) =>
      (await savedMachines()).renameMachine(context, id, name),
    deleteMachine: async (id: string) =>
      (await savedMachines()).deleteMachine(context, id),
    putBackMachine: async () => (await savedMachines()).putBackMachine(context),
    importMachine: async (file: Blob) =>
      (await savedMachines()).importMachine(context, file),
    chooseMachine: async (id: string) =>
      (await savedMachines()).chooseMachine(context, id),

    saveRun: async (words: RunWords) => (await saved()).saveRun(context, words),
    loadRuns: async () => (await saved()).loadRuns(context),
    renameRun: async (id: string, words: RunWords) =>
      (await saved()).renameRun(context, id, words),
    deleteRuns: async (ids: readonly string[]) =>
      (await saved()).deleteRuns(context, ids),
    putBackRuns: async () => (await saved()).putBackRuns(context),
    openRun: async (id: string) => (await saved()).openRun(context, id),
    compareRuns: async (left: string, right: string) =>
      (await saved()).compareRuns(context, left, right),

    chooseView: (key: string, value: string | undefined) =>
      chooseView(context, key, value),
    dismiss: (id: number) => dismiss(context, id),
    offerVersion: (reload: () => void) =>
      notify(context, {
        tone: "note",
        kind: "version",
        text: "A new version is ready.",
        button: { label: "Reload", onPress: reload },
      }),
    /** Reports what nothing has caught. */
    reportUnexpected: (thrown: unknown) => notifyUnexpected(context, thrown),
    /** Ends the first screen. The replay goes on with its access. */
    continueWelcome: () => leaveWelcome(context),
    /** Ends the first screen, and opens what was open before, or the first example. */
    leaveWelcome: async () => {
      if (!store.getState().welcome) return;
      leaveWelcome(context);
      const { beforeWelcome = {} } = context;
      context.beforeWelcome = undefined;
      await start(context, beforeWelcome);
    },
    showWelcome: () => {
      showWelcome(context);
      return start(context, WATCHED);
    },
    showPlain: (plain: boolean) => {
      set(context, { plain });
      context.settings.keepPlain(plain);
    },
    toggleProjector: () =>
      set(context, { projector: !store.getState().projector }),
    setTheme: (theme: Theme) => set(context, { theme }),
    crash: () => crash(context),
  };
}

/** Makes the module trap, to test that the app survives it. */
function crash(context: Context): Promise<void> {
  return reportErrors(context, () => context.engine.call("crash", {}));
}

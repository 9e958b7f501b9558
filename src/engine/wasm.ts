/**
 * The wasm class of the module that the app opens with, as the binding makes it; JSON goes in and
 * out as text. Errors are thrown as plain objects.
 */
export interface FirstSession {
  /** Makes a saved trace the current one, all at once. JSON `TraceView`. */
  openSaved(name: string, file: Uint8Array): string;
  /** Starts to save the current trace; gives the number of parts. */
  beginSave(): number;
  /** The next part of the file, `undefined` after the last. */
  savePart(): Uint8Array | undefined;
  /** Hexadecimal text that is the same for traces of the same contents. */
  finishSave(): string;
  /** JSON `MachineView`. */
  configure(setup: string): string;
  beginRun(): void;
  /** True when done. */
  runSlice(maxAccesses: number): boolean;
  runPosition(): number;
  /** JSON `RunReport`. */
  report(): string;
  /** JSON `StepView`. */
  seek(index: number): string;
  /** Of the core of the access, or of the one that the trace calls `core`. */
  columns(structure: number, core?: number): WasmColumns;
  beginFind(index: number, direction: number, target: string): void;
  /** `undefined` while it is not done. */
  findSlice(): number | null | undefined;
  /** `filter`: JSON `AccessFilter`; without it all accesses are shown. */
  beginTimeline(
    from: number,
    to: number,
    bins: number,
    rows: number,
    filter: string | undefined,
  ): void;
  /** True when done. */
  timelineSlice(maxAccesses: number): boolean;
  timeline(): WasmTimeline;
  crash(): void;
}

/** That of the whole module. */
export interface WasmSession extends FirstSession {
  /** Gives back its memory; it must not be used again. */
  free(): void;
  /** Starts to read a file, as JSON `ImportRequest` says it. */
  beginImport(request: string): void;
  /** True once the limit is reached: the rest need not be read. */
  push(bytes: Uint8Array): boolean;
  importAccesses(): number;
  /** JSON `TraceView`; the trace becomes the current one. */
  finishImport(): string;
  cancelImport(): void;
  /** Starts to write the current trace in JSON `ExportFormat`; gives the number of parts. */
  beginExport(format: string): number;
  /** The next part of the text, `undefined` after the last. */
  exportPart(): Uint8Array | undefined;
  /** JSON `Lost[]`: what the format has no place for. */
  finishExport(): string;
  cancelExport(): void;
  /** Starts a trace from JSON `Workload`; gives the number of its accesses. */
  beginGenerate(workload: string): number;
  /** True when done. */
  generateSlice(maxAccesses: number): boolean;
  /** JSON `TraceView`; the trace becomes the current one. */
  finishGenerate(): string;
  cancelGenerate(): void;
  /** Starts an experiment; gives the number of accesses that it simulates. */
  beginExperiment(id: string): number;
  /** True when done. */
  experimentSlice(maxAccesses: number): boolean;
  /** Accesses simulated so far. */
  experimentPosition(): number;
  /** JSON `ExperimentResult`. */
  finishExperiment(): string;
  cancelExperiment(): void;
  beginAttribution(): void;
  /** True when done. */
  attributionSlice(maxAccesses: number): boolean;
  /** JSON `AttributionView`. */
  finishAttribution(): string;
  /** Starts a run of JSON `Setup` beside the replay; gives the first access that it simulates, and the first that it does not. */
  beginWhole(setup: string): Uint32Array;
  /** True when done. */
  wholeSlice(maxAccesses: number): boolean;
  /** The number of the access that comes next. */
  wholePosition(): number;
  /** JSON `RunReport`. */
  finishWhole(): string;
  cancelWhole(): void;
  /** Starts a row of JSON `SweepSpec` beside the replay; gives the number of accesses that it simulates. */
  beginRow(spec: string, row: number): number;
  /** True when done. */
  rowSlice(maxAccesses: number): boolean;
  /** JSON `SweepLine`, of the trace with this hash. */
  finishRow(hash: string): string;
  cancelRow(): void;
  /** Starts to answer JSON `Question` about the current trace. */
  analyse(question: string): WasmAnalysis;
  /** Two machines of JSON `Setup` beside the replay. JSON `MachineView[]`. */
  beginPair(left: string, right: string): string;
  /** True when both have run. */
  pairSlice(maxAccesses: number): boolean;
  /** JSON `RunReport[]`. */
  pairReports(): string;
  /** JSON `StepView[]`; `null` where the access is not simulated. */
  pairSeek(index: number): string;
  beginLockstep(bins: number): void;
  /** True when done. */
  lockstepSlice(maxAccesses: number): boolean;
  /** JSON `LockstepView`. */
  finishLockstep(): string;
  beginDifference(index: number, direction: number): void;
  /** `undefined` while it is not done. */
  differenceSlice(): number | null | undefined;
  beginPairRegions(): void;
  /** True when done. */
  pairRegionsSlice(maxAccesses: number): boolean;
  /** JSON `AttributionTable[]`. */
  finishPairRegions(): string;
  endPair(): void;
  /** Starts a survey of the samples of the current trace, by JSON `SurveyOptions`. */
  beginSurvey(options: string): void;
  /** Some ten milliseconds of it; true when done. */
  surveySlice(): boolean;
  /** The part that is done, 0 to 1. */
  surveyProgress(): number;
  /** JSON `SurveyReport`. */
  finishSurvey(): string;
  cancelSurvey(): void;
}

/** An answer on its way, of the trace that was the current one when it was asked for. */
export interface WasmAnalysis {
  /** Some milliseconds of it; true when done. */
  slice(): boolean;
  /** The part that is done, 0 to 1. */
  progress(): number;
  /** JSON: what the question was about. */
  finish(): string;
  /** Gives back its memory; it must not be used again. */
  free(): void;
}

export interface WasmColumns {
  readonly keys: BigUint64Array;
  readonly keyShift: Uint8Array;
  readonly table: Uint8Array;
  readonly filledAt: Uint32Array;
  readonly usedAt: Uint32Array;
  readonly hits: Uint32Array;
  readonly next: Uint16Array;
}

export interface WasmTimeline {
  /** JSON `TimelineView`. */
  readonly view: string;
  readonly translations: Uint32Array;
  readonly l2Hits: Uint32Array;
  readonly walks: Uint32Array;
  readonly faults: Uint32Array;
  readonly operations: Uint32Array;
  readonly density: Uint32Array;
  readonly cellWalks: Uint32Array;
  readonly cellFaults: Uint32Array;
}

/** A loaded module: what a session needs to know of it. */
export interface FirstModule {
  newSession(): FirstSession;
  /** JSON `CpuModel[]`. */
  cpus(): string;
  /** Size of the linear memory in bytes. */
  memoryBytes(): number;
}

export interface WasmModule extends FirstModule {
  newSession(): WasmSession;
  /** JSON `Peek` at the beginning of a file, as JSON `ImportRequest` would read it. */
  peek(request: string, bytes: Uint8Array, isWhole: boolean): string;
  /** JSON `WorkloadInfo[]`. */
  workloads(): string;
  /** JSON `WorkloadCheck` of JSON `Workload`. */
  checkWorkload(workload: string): string;
  /** The number of rows of JSON `SweepSpec`. */
  sweepRows(spec: string): number;
  /** CSV of lines of JSON `SweepLine`. */
  sweepTable(lines: string): string;
  /** JSON `ExperimentInfo[]`. */
  experiments(): string;
  /** JSON `FamilyName[]`. */
  eventFamilies(): string;
  /** JSON `Measured` of what perf stat printed, beside JSON `MeasureOptions`. */
  measure(text: string, beside: string): string;
}

/** The module that the app opens with, and the one that can do everything, which is fetched when it is needed. */
export interface Modules {
  readonly first: FirstModule;
  /** After a failure another call tries again. */
  whole(): Promise<WasmModule>;
}

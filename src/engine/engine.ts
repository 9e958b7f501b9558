/** The data that calls of the engine take and return, and the errors of the engine. */
import type { AttributionTable } from "./generated/AttributionTable";
import type { Cores } from "./generated/Cores";
import type { ErrorCode } from "./generated/ErrorCode";
import type { EventFamily } from "./generated/EventFamily";
import type { Hex } from "./generated/Hex";
import type { ImportRequest } from "./generated/ImportRequest";
import type { Lost } from "./generated/Lost";
import type { MachineConfig } from "./generated/MachineConfig";
import type { MachineView } from "./generated/MachineView";
import type { OsConfig } from "./generated/OsConfig";
import type { Place } from "./generated/Place";
import type { Remedy } from "./generated/Remedy";
import type { RunWindow } from "./generated/RunWindow";
import type { RunReport } from "./generated/RunReport";
import type { StepView } from "./generated/StepView";
import type { TimelineView } from "./generated/TimelineView";

/** The settings of a simulation, without the trace. */
export interface Setup {
  readonly machine: MachineConfig;
  readonly os: OsConfig;
  /** Whether each thread or processor has its own core; missing = all accesses happen on one core. */
  readonly cores?: Cores;
  /** The counted part of the trace; missing = the whole trace. */
  readonly window?: RunWindow;
}

/** A trace that is generated: the workload's id, and the parameters that are not its defaults. */
export interface Workload {
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The contents of one structure as columns; slot `set * ways + way`.
 * `keyShift` 0 marks an empty slot.
 */
export interface StructureColumns {
  readonly keys: BigUint64Array;
  /** The lowest address bit of the key. */
  readonly keyShift: Uint8Array;
  /** 1 if the entry is a page-table entry inside a TLB array. */
  readonly table: Uint8Array;
  readonly filledAt: Uint32Array;
  readonly usedAt: Uint32Array;
  readonly hits: Uint32Array;
  /** The way of each set that a fill would take now (an empty one if there is one). */
  readonly next: Uint16Array;
}

/** The machine and the event at one access. `columns[s]` belongs to structure `s`. */
export interface Snapshot {
  readonly step: StepView;
  readonly columns: readonly StructureColumns[];
  /**
   * The core of the columns: one of `step.cores`, or a core without accesses so far; missing = the core of the
   * access.
   */
  readonly core?: number;
}

/** Outcomes and densities over a window of the trace. Cell `(row, bin)` is at `row * view.bins + bin`. */
export interface Timeline {
  readonly view: TimelineView;
  /** Translations per bin, and how many ended in each way. */
  readonly translations: Uint32Array;
  readonly l2Hits: Uint32Array;
  readonly walks: Uint32Array;
  readonly faults: Uint32Array;
  /** Accesses that an exception ended; they are included in `translations`. */
  readonly exceptions: Uint32Array;
  /** Operations before the accesses of a bin. The last bin of a trace also has the operations at its end. */
  readonly operations: Uint32Array;
  /** Accesses per cell. */
  readonly density: Uint32Array;
  /** Walks (faults not included) and faults per cell. */
  readonly cellWalks: Uint32Array;
  readonly cellFaults: Uint32Array;
  readonly cellExceptions: Uint32Array;
}

/** The target of a jump. */
export type Target =
  | {
      readonly what: "l1-miss" | "l2-hit" | "walk" | "fault" | "operation";
    }
  /** Any access to the page that contains `address`, a hexadecimal text; if `exact`, one that starts at `address`. */
  | {
      readonly what: "page";
      readonly address: string;
      readonly exact?: boolean;
    };

/**
 * The accesses that a timeline shows: those to a range of addresses or to a data structure, or those by a range of
 * instructions, by a line of the source, or in a call path.
 */
export type AccessFilter =
  | {
      readonly by: "address" | "instruction";
      readonly start: Hex;
      /** The first address after the range. */
      readonly end: Hex;
    }
  | { readonly by: "line"; readonly file: string; readonly line: number }
  | { readonly by: "object"; readonly name: string }
  /** The functions of a path, the outermost first, and all that it calls. */
  | { readonly by: "calls"; readonly path: readonly string[] };

/** The progress of a long task; `total` is missing if it is unknown. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  /**
   * The unit: `bytes` of the file that is read, `accesses` of the trace, or `parts` of the written file or of the
   * work.
   */
  readonly unit: "bytes" | "accesses" | "parts";
  /** Units per second. */
  readonly rate: number;
  /** Accesses read so far, during an import. */
  readonly accesses?: number;
}

export interface TaskOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Makes the file of an import by parts, if it is whole, to import it again after a crash. */
  readonly again?: () => Blob | undefined;
}

/** The format of a file, and the part of it to import. Missing values are detected, and select everything. */
export type ImportChoices = Readonly<Omit<ImportRequest, "name" | "max_bytes">>;

export interface ImportArgs extends ImportChoices {
  /** A file, or the port through which its parts come. */
  readonly file: Blob | MessagePort;
  readonly name: string;
}

/** A trace as text that other programs read. */
export interface ExportedTrace {
  readonly file: Blob;
  /** The information that the format cannot hold. */
  readonly lost: readonly Lost[];
}

/** The information in addition to the counters of a real machine; every field may be missing. */
export interface MeasureOptions {
  /** The family of processors that the user chose. */
  readonly family?: EventFamily;
  /** The id of the CPU model that is simulated. */
  readonly cpu?: string;
  /** The run to compare the counters with. */
  readonly run?: RunReport;
}

/** Two machines on one trace: the left one, then the right one. */
export interface PairView {
  readonly machines: readonly [MachineView, MachineView];
  readonly reports: readonly [RunReport, RunReport];
}

/** The events of one access on each machine; `null` if the machine does not simulate it. */
export type PairSteps = readonly [StepView | null, StepView | null];

export type PairRegions = readonly [AttributionTable, AttributionTable];

/** A trace in Pagewalk's own format, which an import reads faster than the original file. */
export interface SavedTrace {
  readonly file: Blob;
  /** A hash of the contents, as hexadecimal text. Equal traces have equal hashes. */
  readonly hash: string;
}

export type EngineErrorCode = ErrorCode | "crashed" | "out-of-memory";

/** An error of the engine. `postMessage` drops the fields of an error, so the error is rebuilt from plain data. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly at: Place | undefined;
  /** A setting that solves the problem. */
  readonly remedy: Remedy | undefined;

  constructor(
    code: EngineErrorCode,
    message: string,
    at?: Place,
    remedy?: Remedy,
  ) {
    super(message);
    this.name = "EngineError";
    this.code = code;
    this.at = at;
    this.remedy = remedy;
  }
}

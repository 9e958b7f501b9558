/** A trace in words: what recorded it, how complete it is, how much memory it touched. */
import type { Completeness } from "../../engine/generated/Completeness";
import type { ImportReport } from "../../engine/generated/ImportReport";
import type { SampledEvent } from "../../engine/generated/SampledEvent";
import type { TraceView } from "../../engine/generated/TraceView";

const TOOLS: Readonly<Record<string, string>> = {
  lackey: "valgrind lackey",
  csv: "address list",
  "perf-script": "perf script",
  "perf.data": "perf record",
  "perf-mem": "perf mem report",
  champsim: "ChampSim",
  drmemtrace: "DynamoRIO drmemtrace",
  "drmemtrace-view": "DynamoRIO drmemtrace, as text",
  memtrace: "DynamoRIO memtrace",
  pinatrace: "Intel Pin pinatrace",
  din: "Dinero",
  execlog: "QEMU execlog",
  workload: "generated",
  loop: "written loop",
};

/** The tool that made the trace, by the format of its file; a format without a tool stands for itself. */
export function toolName(format: string): string {
  return TOOLS[format] ?? format;
}

/** The formats that the user can choose, with their names here; none is guessed from the contents. */
export const FORMATS = [
  { value: "", word: "guess from the contents" },
  { value: "lackey", word: "valgrind lackey" },
  { value: "csv", word: "list of addresses" },
  { value: "perf-data", word: "perf.data" },
  { value: "perf-script", word: "perf script" },
  { value: "perf-mem", word: "perf mem report -D" },
  { value: "champsim", word: "ChampSim" },
  { value: "champsim-cloudsuite", word: "ChampSim, records of 96 bytes" },
  { value: "drmemtrace", word: "DynamoRIO drmemtrace" },
  {
    value: "drmemtrace-view",
    word: "DynamoRIO drmemtrace, text of its view tool",
  },
  { value: "memtrace", word: "DynamoRIO memtrace samples" },
  { value: "pinatrace", word: "Intel Pin pinatrace" },
  { value: "din", word: "Dinero" },
  { value: "execlog", word: "QEMU execlog" },
] as const;

/** The core names options of the command line; here they are choices in the import dialog. */
export function webWords(sentence: string): string {
  return sentence
    .replaceAll(
      /(?:import|say which) with --format ([\w-]+(?: or --format [\w-]+)*)/g,
      (_, names: string) => `choose ${choices(names.split(" or --format "))}`,
    )
    .replaceAll("give its name with --format", "choose it under Format");
}

/** Choices in the dialog that replace some formats of the command line. */
const PARTS: Readonly<Record<string, readonly [field: string, word: string]>> =
  {
    "csv-hex": ["Numbers", "hexadecimal"],
    "csv-decimal": ["Numbers", "decimal"],
    "perf-script-addr": ["The only column of addresses is", "the data address"],
    "perf-script-ip": ["The only column of addresses is", "the instruction"],
    "perf-script-phys": [
      "The only column of addresses is",
      "the physical address",
    ],
  };

/** Words such as `“a” or “b” under Format`; the field follows its last choice. */
function choices(names: readonly string[]): string {
  const all = names.map((name): readonly [string, string] => {
    const word = FORMATS.find(({ value }) => value === name)?.word;
    return PARTS[name] ?? ["Format", word ?? name];
  });
  return all
    .map(([field, word], i) => {
      const isLast = all[i + 1]?.[0] !== field;
      return `“${word}”${isLast ? ` under ${field}` : ""}`;
    })
    .join(" or ");
}

const COMPLETENESS: Readonly<
  Record<Completeness, { readonly word: string; readonly meaning: string }>
> = {
  complete: {
    word: "complete",
    meaning: "Every access of the program, in order.",
  },
  sampled: {
    word: "sampled",
    meaning:
      "Sampled: most accesses are missing, so simulated hits and misses are not the program’s.",
  },
  "latency-filtered": {
    word: "slow accesses only",
    meaning:
      "Only accesses above a latency were recorded; the hits between them are missing.",
  },
  "first-touches": {
    word: "first touches only",
    meaning: "Only the first access to each page was recorded.",
  },
};

/** A list of addresses does not say who made it, nor what was left out. */
const AS_GIVEN = {
  word: "as given",
  meaning: "Unknown whether the list is complete.",
} as const;

/**
 * The trace is partial: a limit, a window or a selection left out accesses, now or when the list was written.
 */
const PART = {
  word: "partial",
  meaning:
    "Partial: a limit or a selection left out accesses, now or when the file was written.",
} as const;

function wordsOf(
  completeness: Completeness,
  format: ImportReport["format"] | undefined,
  part: boolean,
) {
  const isComplete = completeness === "complete";
  if (isComplete && part) return PART;
  if (isComplete && format?.startsWith("csv")) return AS_GIVEN;
  const { word, meaning } = COMPLETENESS[completeness];
  return part
    ? { word: `${word}, partial`, meaning: `${meaning} ${PART.meaning}` }
    : { word, meaning };
}

/** Whether the trace is partial. */
export function completenessWord(
  completeness: Completeness,
  format?: ImportReport["format"],
  part = false,
): string {
  return wordsOf(completeness, format, part).word;
}

/** What the trace cannot show. */
export function completenessMeaning(
  completeness: Completeness,
  format?: ImportReport["format"],
  part = false,
): string {
  return wordsOf(completeness, format, part).meaning;
}

/** The number of distinct 4 KiB pages in all regions. */
export function pagesTouched({ regions }: Pick<TraceView, "regions">): number {
  return regions.reduce((sum, region) => sum + region.pages, 0);
}

/** perf's number for a task that had ended when it was recorded: −1. */
const ENDED = 2 ** 32 - 1;

/** Bit 31 of a process number: set for what the process ran as a virtual machine. */
const GUEST = 2 ** 31;

/**
 * The process number of `7`, or of `guest:7`: what process 7 ran as a virtual machine, which is `2147483655`
 * in lists.
 */
export function processOf(word: string): number | undefined {
  if (word === "-1") return ENDED;
  const [, guest, number] = /^(guest:)?(\d{1,10})$/.exec(word) ?? [];
  const pid = Number(number) + (guest === undefined ? 0 : GUEST);
  return pid <= ENDED ? pid : undefined;
}

/** A process in the form that `processOf` reads. */
export function typedProcess(pid: number): string {
  return pid < GUEST || pid === ENDED
    ? threadText(pid)
    : `guest:${pid - GUEST}`;
}

export function threadOf(word: string): number | undefined {
  if (word === "-1") return ENDED;
  const tid = /^\d{1,10}$/.test(word) ? Number(word) : ENDED;
  return tid < ENDED ? tid : undefined;
}

/** The number of a thread as text. */
export function threadText(tid: number): string {
  return tid === ENDED ? "-1" : String(tid);
}

/** The number of a process as text; bit 31 marks what it ran as a virtual machine. */
export function processText(pid: number): string {
  if (pid === ENDED) return threadText(pid);
  return pid < GUEST ? String(pid) : `${pid - GUEST} (guest)`;
}

/** Page faults that tracepoints report. */
export const FIRST_TOUCHES = "from tracepoints, simulated as first touches";

/** The number of simulated accesses, including page faults from tracepoints. */
export function withAddress({ accesses, sampling }: ImportReport): number {
  return accesses + (sampling?.faults ?? 0);
}

/** Some texts do not name the event. */
export function isNamed({ name }: SampledEvent): boolean {
  return name !== "";
}

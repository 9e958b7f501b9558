/** A trace in words: what recorded it, how much of the program it holds, how much memory it touched. */
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

/** What made the trace, by the format of its file; a format without a tool's name stands for itself. */
export function toolName(format: string): string {
  return TOOLS[format] ?? format;
}

/** The formats that an import may be told, as they are called here; none is guessed from the contents. */
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

/** The core names the command line's options; here an option is a choice in the import dialog. */
export function webWords(sentence: string): string {
  return sentence
    .replaceAll(
      /(?:import|say which) with --format ([\w-]+(?: or --format [\w-]+)*)/g,
      (_, names: string) => `choose ${choices(names.split(" or --format "))}`,
    )
    .replaceAll("give its name with --format", "choose it under Format");
}

/** What some formats of the command line are in the dialog, where they are choices of one. */
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

/** `“a” or “b” under Format`; the field stands behind the last of its choices. */
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
      "A sample: most accesses are missing, so hits and misses of a simulation are not those of the program.",
  },
  "latency-filtered": {
    word: "slow accesses only",
    meaning:
      "Only accesses above a latency were recorded: the hits between them are missing.",
  },
  "first-touches": {
    word: "first touches only",
    meaning: "Only the first access to each page was recorded.",
  },
};

/** A list of addresses does not say who made it, nor what was left out. */
const AS_GIVEN = {
  word: "as given",
  meaning: "Whether the list is complete is not known.",
} as const;

/** There were more accesses: a limit, a window or a choice left them out, now or when the list was written. */
const PART = {
  word: "part of a trace",
  meaning:
    "An import stopped at a limit, or left out what was not chosen, now or when the file was written: the rest is missing.",
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
    ? { word: `${word}, a part`, meaning: `${meaning} ${PART.meaning}` }
    : { word, meaning };
}

/** `part`: there was more. */
export function completenessWord(
  completeness: Completeness,
  format?: ImportReport["format"],
  part = false,
): string {
  return wordsOf(completeness, format, part).word;
}

/** What the trace cannot tell. */
export function completenessMeaning(
  completeness: Completeness,
  format?: ImportReport["format"],
  part = false,
): string {
  return wordsOf(completeness, format, part).meaning;
}

/** Distinct 4 KiB pages in all regions. */
export function pagesTouched({ regions }: Pick<TraceView, "regions">): number {
  return regions.reduce((sum, region) => sum + region.pages, 0);
}

/** The number of a task that was gone when it was recorded, as perf has it: −1. */
const GONE = 2 ** 32 - 1;

/** Bit 31 of a process's number: it is of what the process ran as a virtual machine. */
const GUEST = 2 ** 31;

/**
 * The process that is meant by `7`, or by `guest:7`: what the process 7 ran as a virtual machine, which lists
 * have as `2147483655`.
 */
export function processOf(word: string): number | undefined {
  if (word === "-1") return GONE;
  const [, guest, number] = /^(guest:)?(\d{1,10})$/.exec(word) ?? [];
  const pid = Number(number) + (guest === undefined ? 0 : GUEST);
  return pid <= GONE ? pid : undefined;
}

/** A process as `processOf` reads it. */
export function typedProcess(pid: number): string {
  return pid < GUEST || pid === GONE ? threadText(pid) : `guest:${pid - GUEST}`;
}

export function threadOf(word: string): number | undefined {
  if (word === "-1") return GONE;
  const tid = /^\d{1,10}$/.test(word) ? Number(word) : GONE;
  return tid < GONE ? tid : undefined;
}

/** The number of a thread as it is shown. */
export function threadText(tid: number): string {
  return tid === GONE ? "-1" : String(tid);
}

/** The number of a process as it is shown: bit 31 is set of what it ran as a virtual machine. */
export function processText(pid: number): string {
  if (pid === GONE) return threadText(pid);
  return pid < GUEST ? String(pid) : `${pid - GUEST} (guest)`;
}

/** Of what tracepoints tell. */
export const FIRST_TOUCHES = "told by tracepoints, simulated as first touches";

/** What is simulated: accesses, and the page faults that are told without being one. */
export function withAddress({ accesses, sampling }: ImportReport): number {
  return accesses + (sampling?.faults ?? 0);
}

/** Some texts do not tell the event. */
export function isNamed({ name }: SampledEvent): boolean {
  return name !== "";
}

/** The words of a question and its hints, as keys of the catalogue with their values. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { Posed } from "../../engine/generated/Posed";
import type { StepView } from "../../engine/generated/StepView";
import type { Say, Values } from "../texts/messages";
import type { ExerciseTexts } from "../../texts/en/exercise";
import { arrayOf, tableOf } from "./kinds";

export interface Message {
  readonly key: keyof ExerciseTexts;
  readonly values: Values;
}

/** What a question is about: the machine, and the step if the exercise does not hide it. */
export interface About {
  readonly machine: MachineView;
  readonly step: StepView | undefined;
}

export function questionMessage(
  posed: Posed,
  { machine, step }: About,
): Message {
  const { ask, at, address, access } = posed;
  const level = levelOf(posed);
  const values: Values = {
    at,
    address,
    kind: access,
    array: posed.array ?? arrayOf(ask) ?? "TLB",
    table: level === undefined ? "" : tableOf(machine, step, level),
  };
  return { key: questionKey(posed), values };
}

function questionKey({ ask }: Posed): keyof ExerciseTexts {
  switch (ask.kind) {
    case "outcome":
      return "qOutcome";
    case "set":
      return "qSet";
    case "way":
      return "qWay";
    case "victim":
      return "qVictim";
    case "references":
      return "qReferences";
    case "entry-address":
      return "qEntryAddress";
    case "page-size":
      return "qPageSize";
    case "fault-code":
      return "qFaultCode";
    case "physical":
      return "qPhysical";
    case "cycles":
      return "qCycles";
    case "field":
      if (ask.of === "page-number") return "qPageNumber";
      if (ask.of === "offset") return "qOffset";
      if (ask.of.startsWith("tag:")) return "qTag";
      return ask.of.startsWith("set:") ? "qSet" : "qIndex";
    case "number":
      return NUMBERS[ask.of.split(":")[0] ?? ""] ?? "qWalks";
  }
}

const NUMBERS: Readonly<Record<string, keyof ExerciseTexts>> = {
  walks: "qWalks",
  faults: "qFaults",
  pages: "qPages",
  references: "qReferencesSoFar",
  cycles: "qCyclesSoFar",
  misses: "qMisses",
  hits: "qHits",
};

/** The hints, from general to the numbers of this machine. */
export function hintMessages(posed: Posed, about: About): readonly Message[] {
  const values = hintValues(posed, about);
  const has = (...names: readonly string[]) =>
    names.every((name) => values[name] !== undefined);
  return hintKeys(posed)
    .filter(([, ...needed]) => has(...needed))
    .map(([key]) => ({ key, values }));
}

type HintKey = readonly [
  key: keyof ExerciseTexts,
  ...needed: readonly string[],
];

/** A hint without the values that it needs is left out. */
const HINTS: Readonly<
  Partial<Record<keyof ExerciseTexts, readonly HintKey[]>>
> = {
  qOutcome: [["hOutcome"], ["hOutcome2"]],
  qSet: [
    ["hSet"],
    ["hSet2", "low"],
    ["hSetXor", "xor"],
    ["hSetMasks", "masks"],
  ],
  qWay: [["hWay"], ["hWay2", "ways"]],
  qVictim: [["hVictim"], ["hVictim2", "ways"]],
  qPageNumber: [["hPageNumber"], ["hPageNumber2", "bits"]],
  qOffset: [["hOffset"], ["hOffset2", "bits"]],
  qIndex: [["hIndex"], ["hIndex2", "high"]],
  qTag: [["hTag"], ["hTag2", "low"]],
  qReferences: [["hReferences"], ["hReferences2"]],
  qEntryAddress: [["hEntryAddress"], ["hEntryAddress2", "high", "bytes"]],
  qPageSize: [["hPageSize"]],
  qFaultCode: [["hFaultCode"], ["hFaultCode2"]],
  qPhysical: [["hPhysical"], ["hPhysical2", "bits"]],
  qCycles: [["hCycles"], ["hCycles2"]],
};

function hintKeys(posed: Posed): readonly HintKey[] {
  const { ask } = posed;
  if (ask.kind === "number") {
    const second = ask.of === "faults" ? "hNumberFirst" : "hNumber2";
    return [["hNumber"], [second]];
  }
  return HINTS[questionKey(posed)] ?? [];
}

function hintValues(posed: Posed, { machine, step }: About): Values {
  const array = arrayIn(machine, posed);
  const [first] = step?.translations ?? [];
  const level = first?.levels.find((each) => each.level === levelOf(posed));
  const key = questionKey(posed);
  const setBits = array && Math.log2(array.sets);
  const offset = first?.page_shift ?? machine.offset_bits;
  const isSet = key === "qSet" || key === "qTag";
  const entryBytes = level && bytesOf(level);
  return {
    levels: machine.levels,
    ...(array && {
      sets: array.sets,
      ways: array.ways,
      policy: array.replacement,
      ...(array.index === "xor" && { xor: 1 }),
      ...(array.index === "low-bits" && { low: 0 }),
      ...(typeof array.index === "object" && { masks: 1 }),
    }),
    ...(isSet ? setBits !== undefined && { bits: setBits } : { bits: offset }),
    ...(level && { high: level.shift + level.bits - 1, low: level.shift }),
    ...(entryBytes !== undefined && { bytes: entryBytes }),
  };
}

/** The size of an entry, from two neighbours of a table; `undefined` if the index is 0. */
function bytesOf({
  table,
  entry_address: entry,
  index,
}: StepView["translations"][number]["levels"][number]): number | undefined {
  if (index === 0) return undefined;
  return Number((BigInt(entry) - BigInt(table)) / BigInt(index));
}

function arrayIn({ structures }: MachineView, { ask, array }: Posed) {
  const name = arrayOf(ask) ?? array;
  return structures.find((each) => each.name === name);
}

function levelOf({ ask }: Posed): number | undefined {
  if (ask.kind === "entry-address") return ask.level;
  if (ask.kind !== "field") return undefined;
  const [, level] = /^index-(\d+)$/.exec(ask.of) ?? [];
  return level === undefined ? undefined : Number(level);
}

/** Writes a message of the exercise. */
export type SayExercise = Say<keyof ExerciseTexts>;

/** The questions that can be asked of a machine, by kind; and their names for the teacher. */
import type { Ask } from "../../engine/generated/Ask";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { StructureView } from "../../engine/generated/StructureView";
import { tableName } from "../walk/tableName";

export interface AskChoice {
  readonly ask: Ask;
  /** The array, the level, the field or the number. */
  readonly of: string;
}

/** Questions of one kind, or those that have no array, level or field. */
export interface AskKind {
  readonly name: string;
  readonly choices: readonly AskChoice[];
}

const NAMES: Readonly<Record<Ask["kind"], string>> = {
  outcome: "Hit, miss or fault",
  set: "Set",
  way: "Way",
  victim: "Victim",
  field: "Bits of the address",
  references: "References of the walk",
  "entry-address": "Address of an entry",
  "page-size": "Page size",
  "fault-code": "Error code",
  physical: "Physical address",
  cycles: "Cycles of the access",
  number: "How many so far",
};

/** The key of a question: equal questions have equal keys. */
export const askKey = (ask: Ask): string => JSON.stringify(ask);

/** Returns all questions about a machine. Levels have the names of their tables in the step, if it has them. */
export function askKinds(
  machine: MachineView,
  step: StepView | undefined,
): readonly AskKind[] {
  const arrays = machine.structures.filter(isArray).map(({ name }) => name);
  const levels = Array.from({ length: machine.levels }, (_, at) => at + 1);
  const ofArrays = (kind: "set" | "way" | "victim") =>
    arrays.map((of) => ({ ask: { kind, of }, of }));
  const alone = (
    kind:
      | "outcome"
      | "references"
      | "page-size"
      | "fault-code"
      | "physical"
      | "cycles",
  ): readonly AskChoice[] => [{ ask: { kind }, of: "" }];
  const field = (of: string, name: string): AskChoice => ({
    ask: { kind: "field", of },
    of: name,
  });
  const number = (of: string, name: string): AskChoice => ({
    ask: { kind: "number", of },
    of: name,
  });
  const choices: Readonly<Record<Ask["kind"], readonly AskChoice[]>> = {
    outcome: alone("outcome"),
    set: ofArrays("set"),
    way: ofArrays("way"),
    victim: ofArrays("victim"),
    field: [
      field("page-number", "page number"),
      field("offset", "offset"),
      ...levels
        .toReversed()
        .map((level) =>
          field(`index-${level}`, `${tableOf(machine, step, level)} index`),
        ),
      ...arrays.map((name) => field(`tag:${name}`, `tag of ${name}`)),
    ],
    references: alone("references"),
    "entry-address": levels.toReversed().map((level) => ({
      ask: { kind: "entry-address", level },
      of: `${tableOf(machine, step, level)} entry`,
    })),
    "page-size": alone("page-size"),
    "fault-code": alone("fault-code"),
    physical: alone("physical"),
    cycles: alone("cycles"),
    number: [
      number("walks", "walks"),
      number("faults", "faults"),
      number("pages", "pages"),
      number("references", "references"),
      number("cycles", "cycles"),
      ...arrays.flatMap((name) => [
        number(`misses:${name}`, `misses of ${name}`),
        number(`hits:${name}`, `hits of ${name}`),
      ]),
    ],
  };
  const kinds = Object.keys(NAMES) as Ask["kind"][];
  const isAlone = (kind: Ask["kind"]) =>
    choices[kind].every(({ of }) => of === "");
  return [
    {
      name: "The access",
      choices: kinds
        .filter(isAlone)
        .flatMap((kind) =>
          choices[kind].map(({ ask }) => ({ ask, of: NAMES[kind] })),
        ),
    },
    ...kinds
      .filter((kind) => !isAlone(kind))
      .map((kind) => ({ name: NAMES[kind], choices: choices[kind] })),
  ];
}

const X86_TABLES = ["PT", "PD", "PDPT", "PML4", "PML5"];

/** The names of the page tables of a machine, the lowest level first. */
export function levelNames({
  levels = 4,
  paging,
}: Pick<MachineConfig, "levels" | "paging">): readonly string[] {
  if (!paging) return X86_TABLES.slice(0, levels);
  return paging.tables?.toReversed() ?? [];
}

/** `Set: L1 dTLB 4K`. Levels have the names of their tables, if these are known. */
export function askName(ask: Ask, levels: readonly string[] = []): string {
  const name = NAMES[ask.kind];
  const table = (level: number) => levels[level - 1] ?? `level ${level}`;
  if ("level" in ask) return `${name}: ${table(ask.level)}`;
  if (!("of" in ask)) return name;
  const [, index] = /^index-(\d+)$/.exec(ask.of) ?? [];
  const of = index ? `${table(Number(index))} index` : ask.of;
  return `${name}: ${of.replace(":", " of ")}`;
}

export function isArray({ role }: StructureView): boolean {
  return role === "l1" || role === "l2";
}

/** Returns whether an access looks in the array that a question is about; true for questions about none. */
export function isUsed(
  ask: Ask,
  { structures }: MachineView,
  step: StepView | undefined,
): boolean {
  const array = arrayOf(ask);
  if (array === undefined) return true;
  const lookups = step?.translations.flatMap(({ tlb }) => tlb) ?? [];
  return lookups.some(({ structure }) => structures[structure]?.name === array);
}

/** The name of the table of a level, also where the walk of the step did not reach it. */
export function tableOf(
  machine: MachineView,
  step: StepView | undefined,
  level: number,
): string {
  const levels = step?.translations[0]?.levels ?? step?.refused?.levels ?? [];
  return tableName(machine, levels, level);
}

/** The name of the array that a question is about. */
export function arrayOf(ask: Ask): string | undefined {
  if (ask.kind === "set" || ask.kind === "way" || ask.kind === "victim")
    return ask.of;
  if (ask.kind === "field" || ask.kind === "number") {
    const [, name] = /^[a-z]+:(.*)$/.exec(ask.of) ?? [];
    return name;
  }
  return undefined;
}

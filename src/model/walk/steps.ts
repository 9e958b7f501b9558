/**
 * A one-dimensional walk as steps in time, and each step in words. A step is the hit that skips tables, one
 * reference, or the physical address at the end.
 */
import type { LevelView } from "../../engine/generated/LevelView";
import type { LookupView } from "../../engine/generated/LookupView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { hasOneTable, listOf } from "../replay/bits";
import { counted, cycles } from "../shared/format";
import { hex } from "../shared/hex";
import { pscName } from "../tlb/names";
import { wordsOf } from "../words/words";
import { entryBytes, entryFlags, entryPlace, setByAccess } from "./entry";
import type { Refusal } from "./refused";
import { hitOf, newEntries, pageEnd } from "./tables";
import type { Kind } from "../../engine/generated/Kind";

/** A line of an explanation: `at`, `0x1a3c000 + 254 × 8 = 0x1a3c7f0`. */
export interface StepLine {
  readonly term: string;
  readonly text: string;
  /** Whether the value is set in digits of equal width. */
  readonly mono: boolean;
  /** Whether the picture shows it, so that only the sentence repeats it. */
  readonly isDrawn?: boolean;
}

export interface NativeStep {
  readonly kind: "tlb" | "skip" | "read" | "page";
  /** Positions of its tables, from the root; the step of the page has none. */
  readonly tables: readonly number[];
  readonly title: string;
  readonly lines: readonly StepLine[];
}

export interface NativeWalk {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  /** The kind of the access. */
  readonly kind: Kind;
  /** What refused the access at the last entry; missing = the walk found the page. */
  readonly refusal?: Refusal | null;
}

const mono = (term: string, text: string): StepLine => ({
  term,
  text,
  mono: true,
});
const plain = (term: string, text: string): StepLine => ({
  term,
  text,
  mono: false,
});

/** The characters of a line. */
const LINE = 36;

export function nativeSteps(walk: NativeWalk): NativeStep[] {
  const { levels } = walk.translation;
  const skipped = levels.flatMap(({ state }, at) =>
    state === "read" ? [] : [at],
  );
  const reads = levels.flatMap(({ state }, at) =>
    state === "read" ? [at] : [],
  );
  return [
    ...(skipped.length > 0 ? [skipStep(walk, skipped)] : []),
    ...reads.map((at) => readStep(walk, at)),
    ...(walk.refusal || levels.length === 0 ? [] : [pageStep(walk)]),
  ];
}

/** The step at which a table is reached. */
export function stepOfTable(
  steps: readonly NativeStep[],
  table: number,
): number {
  return steps.findIndex(({ tables }) => tables.includes(table));
}

/** A TLB or a walk cache knows what the skipped tables lead to. */
function skipStep(
  { translation, machine }: NativeWalk,
  tables: readonly number[],
): NativeStep {
  const { levels, address, frame } = translation;
  const names = listOf(tables.map((at) => levels[at]?.table_name ?? ""));
  const saved = counted(tables.length, "reference");
  const { tlb, behind } = translation;
  const hit = tlb.find((lookup) => lookup.hit) ?? (behind?.hit && behind);
  if (hit)
    return {
      kind: "tlb",
      tables,
      title: `${hitOf(translation, machine) ?? "TLB"} knows the frame: no walk`,
      lines: [
        keyLine(address, hit),
        mono("holds", `frame ${frame}`),
        ...(behind ? [plain("read", behind.said)] : []),
        // Walk caches could have skipped some of them, too.
        plain(
          "saves",
          levels.some(({ hashed }) => hashed)
            ? "the reads of all lines that may hold the page"
            : `at most ${saved}: ${names}`,
        ),
      ],
    };
  const lookup = translation.psc.find((each) => each.hit);
  const next = levels[tables.length];
  const cache = lookup ? pscName(machine, lookup, levels) : "A walk cache";
  return {
    kind: "skip",
    tables,
    title: `${cache} knows the ${next?.table_name ?? "table"}: ${saved} saved`,
    lines: [
      ...(lookup ? [keyLine(address, lookup)] : []),
      mono("holds", `${next?.table_name ?? ""} at ${next?.table ?? ""}`),
      plain("saves", `${saved}: ${names}`),
    ],
  };
}

function keyLine(
  address: string,
  { key, key_shift }: Pick<LookupView, "key" | "key_shift">,
): StepLine {
  return mono("key", `VA ${address} >> ${key_shift} = ${key}`);
}

function readStep(walk: NativeWalk, at: number): NativeStep {
  const { translation, machine, kind, refusal } = walk;
  const { levels, address } = translation;
  const level = levels[at];
  if (!level) return { kind: "read", tables: [], title: "", lines: [] };
  const { table, index, entry_address, shift, n_entries } = level;
  const isLast = at === levels.length - 1;
  const refused = isLast ? refusal : null;
  const name = `${wordsOf(machine).tableEntry(level.table_name)} ${index}`;
  const set = setByAccess(level);
  const isNew = !refusal && at >= levels.length - newEntries(translation, kind);
  return {
    kind: "read",
    tables: [at],
    title: refused ? `${name} ${refused.verb}` : name,
    lines: [
      mono("index", `VA ${address} >> ${shift} & ${n_entries - 1} = ${index}`),
      mono("at", entryPlace(table, index, entry_address, entryBytes(levels))),
      mono("value", valueText(level)),
      refused ? plain("ends", refused.text) : givesLine(translation, at),
      ...(isNew
        ? [plain("new", "first touch: the OS has just written it")]
        : []),
      ...(set === "" ? [] : [plain("changed", set)]),
      ...(translation.hashed?.lines ?? []).map(({ table, way, said }) => ({
        ...plain(`${table.slice(0, 3)} ${way}`, said),
        isDrawn: true,
      })),
    ],
  };
}

/** The value, with its flags if one line has space for them. The strip of bits has them all. */
function valueText(level: LevelView): string {
  const all = `${level.value}  ${entryFlags(level)}`.trimEnd();
  return all.length > LINE ? level.value : all;
}

/** What the entry leads to: `frame 0x20a << 12 = 0x20a000, the PT`. */
function givesLine(translation: TranslationView, at: number): StepLine {
  const { levels } = translation;
  const level = levels[at];
  const next = levels[at + 1];
  const target = next ? next.table : pageEnd(translation).base;
  const frame = level && frameText(level, target);
  const name = next ? `, the ${next.table_name}` : "";
  return mono("gives", `${frame ?? target}${name}`);
}

/** The frame of an entry as the target's address; `undefined` if an entry holds the address in another form. */
function frameText(level: LevelView, target: string): string | undefined {
  const field = level.fields.find(({ address }) => address);
  if (!field) return undefined;
  const address = hex(BigInt(field.value) << BigInt(field.low));
  if (BigInt(address) !== BigInt(target)) return undefined;
  return `frame ${field.value} << ${field.low} = ${target}`;
}

function pageStep({ translation }: NativeWalk): NativeStep {
  const { frame, page_shift, address } = translation;
  const { base, offset, physical, frameName } = pageEnd(translation);
  const isWhole = hasOneTable(translation);
  return {
    kind: "page",
    tables: [],
    title: `Physical address = ${isWhole ? "PPN and PPO" : "frame + offset"}`,
    lines: [
      mono(frameName, `${frame} << ${page_shift} = ${base}`),
      mono(
        isWhole ? "PPO" : "offset",
        `VA ${address} & ${hex((1n << BigInt(page_shift)) - 1n)} = ${offset}`,
      ),
      mono("address", `${base} + ${offset} = ${physical}`),
    ],
  };
}

/** A step in one sentence, for screen readers. */
export function stepSentence(
  step: NativeStep,
  { translation }: Pick<NativeWalk, "translation">,
): string {
  const [at = -1] = step.tables;
  const level = step.kind === "read" ? translation.levels[at] : undefined;
  const served =
    level?.served_by == null
      ? ""
      : `, read from ${level.served_by} in ${cycles(level.cycles ?? 0)}`;
  const head = level ? `reference ${level.order ?? 0}, ` : "";
  const lines = step.lines.map(({ term, text }) => `${term} ${text}`);
  return `${head}${step.title}${served}. ${lines.join("; ")}.`;
}

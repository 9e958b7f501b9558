/** The trail of an access: one chip per lookup, the outcome last, and the cost. */
import type { Kind } from "../../engine/generated/Kind";
import type { LookupView } from "../../engine/generated/LookupView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { Outcome } from "../../engine/generated/Outcome";
import type { TranslationView } from "../../engine/generated/TranslationView";
import type { TermId } from "../glossary/terms";
import { listOf } from "./bits";
import { startsAtLevel2 } from "./firstLevel";
import { count, counted, cycles } from "../shared/format";
import { dimensionsText, readLines, readsText, referencesText } from "./reads";
import {
  levelName,
  pscName,
  secondLevelName,
  structureName,
} from "../tlb/names";

export interface Chip {
  readonly text: string;
  /** The card that explains it. */
  readonly term: TermId;
  /** The outcome, on the last chip of the trail. */
  readonly outcome: Outcome | null;
  /** The long text for the tooltip. */
  readonly detail: string;
}

const roleOf = (machine: MachineView, lookup: LookupView) =>
  machine.structures[lookup.structure]?.role;

const place = (
  { set, way }: { set: number; way: number | null },
  sets: number,
) =>
  [sets > 1 ? `set ${set}` : "", way === null ? "" : `way ${way}`]
    .filter(Boolean)
    .join(" ");

const LEVEL_TERMS = { l1: "dtlb", l2: "stlb" } as const;

/** One level of arrays, looked up in parallel; nothing if the machine has none for this kind. */
function levelChips(
  translation: TranslationView,
  machine: MachineView,
  role: "l1" | "l2",
): Chip[] {
  const asked = translation.tlb.filter(
    (lookup) => roleOf(machine, lookup) === role,
  );
  const hit = asked.find((lookup) => lookup.hit);
  if (asked.length === 0) return [];
  const names = listOf(
    asked.map((lookup) => structureName(machine, lookup.structure)),
  );
  if (hit) {
    const name = structureName(machine, hit.structure);
    const sets = machine.structures[hit.structure]?.sets ?? 1;
    return [
      {
        text: `${name} hit`,
        term: LEVEL_TERMS[role],
        outcome: translation.outcome,
        detail: `${names} looked up together; hit in ${name}, ${place(hit, sets)}`,
      },
    ];
  }
  const level = levelName(
    machine,
    asked.map((lookup) => lookup.structure),
    role,
  );
  return [
    {
      text: `${level} miss`,
      term: LEVEL_TERMS[role],
      outcome: null,
      detail: `${names} looked up together: all missed`,
    },
  ];
}

/** The walk caches, deepest first: one chip for all misses, one for the hit. */
function pscChips(translation: TranslationView, machine: MachineView): Chip[] {
  const { levels, hashed } = translation;
  // What walk caches of hashed tables know is in the words of the walk.
  const psc = hashed ? [] : translation.psc;
  const name = (lookup: LookupView) => pscName(machine, lookup, levels);
  const missed = psc.filter((lookup) => !lookup.hit);
  const hit = psc.find((lookup) => lookup.hit);
  const chips: Chip[] = [];
  if (missed.length > 0) {
    const names = missed.map(name);
    const [first = ""] = names;
    const short =
      missed.length === 1
        ? hit
          ? first.replace(/ cache$/, "")
          : first
        : hit
          ? names.map((each) => each.replace(/ cache$/, "")).join(", ")
          : "walk caches";
    chips.push({
      text: `${short} miss`,
      term: "walk-cache",
      outcome: null,
      detail: `${listOf(names)} looked up: all missed`,
    });
  }
  if (hit) {
    const skipped = levels.filter(
      (level) => level.state === "skipped-by-psc",
    ).length;
    chips.push({
      // After another miss, the word "cache" adds nothing.
      text: `${missed.length > 0 ? name(hit).replace(/ cache$/, "") : name(hit)} hit`,
      term: "walk-cache",
      outcome: null,
      detail: `${structureName(machine, hit.structure)} held the next table: ${counted(skipped, "table")} skipped`,
    });
  }
  return chips;
}

/** The chips in order of time. */
export function trail(
  translation: TranslationView,
  machine: MachineView,
): Chip[] {
  const { outcome, behind } = translation;
  const chips: Chip[] = [
    ...levelChips(translation, machine, "l1"),
    ...levelChips(translation, machine, "l2"),
  ];
  if (behind)
    chips.push({
      text: behind.chip,
      term: "stlb",
      outcome: behind.hit ? outcome : null,
      detail: behind.said,
    });
  if (!["walk", "fault"].includes(outcome)) return chips;
  chips.push(...pscChips(translation, machine));
  const walk = `walk, ${referencesText(translation)}`;
  chips.push(
    outcome === "fault"
      ? {
          // The references of two dimensions need no other word.
          text: `page fault, then ${translation.nested ? referencesText(translation) : walk}`,
          term: "first-touch",
          outcome,
          detail:
            "page fault at the first touch: the OS mapped the page, then the walk ran once in full",
        }
      : {
          text: walk,
          term: "page-walk",
          outcome,
          detail: `${dimensionsText(translation) ?? counted(translation.refs, "page-table entry", "page-table entries")} read`,
        },
  );
  return chips;
}

/** What the cycles of a page fault leave out. */
export const WITHOUT_OS = "without the OS’s work";

/** The cost line: the total, its parts, and where the translation was filled. */
export interface Cost {
  /** The total: `22 cycles`. */
  readonly total: string;
  /** The parts: `= 9 STLB miss + 8 to start the walk + 14 to read the PT entry`. */
  readonly parts: string;
  /** The parts in short, `= 8 + 14`: start and references. */
  readonly numbers: string;
  /** What is not counted; empty if nothing is missing. */
  readonly without: string;
  /** One line per term, for the tooltip. */
  readonly terms: readonly string[];
}

export function costOf(
  translation: TranslationView,
  machine: MachineView,
  kind: Kind,
): Cost {
  const { cycles: parts, outcome } = translation;
  const total = cycles(parts.total);
  const second = translation.behind?.cost ?? secondLevelName(machine);
  const without = outcome === "fault" ? WITHOUT_OS : "";
  if (outcome === "l1-hit")
    return {
      total,
      without,
      parts: "= an L1 hit is free",
      numbers: "",
      terms: ["an L1 hit costs nothing extra: 0"],
    };
  if (outcome === "l2-hit" && startsAtLevel2(machine, kind))
    return {
      total,
      without,
      parts: "= the first array looked up hit",
      numbers: "",
      terms: [
        `no first-level array serves a ${kind}: the first array looked up hit, at no extra cost: ${count(parts.l2_hit)}`,
      ],
    };
  if (outcome === "l2-hit")
    return {
      total,
      without,
      parts: `= the ${second} hit`,
      numbers: "",
      terms: [`${second} hit, by kind of access: ${count(parts.l2_hit)}`],
    };
  const start = [
    ...(parts.l2_miss > 0 ? [`${count(parts.l2_miss)} ${second} miss`] : []),
    ...(parts.walk_overhead > 0
      ? [`${count(parts.walk_overhead)} to start the walk`]
      : []),
  ];
  return {
    total,
    without,
    parts: `= ${[...start, readsText(translation, machine)].join(" + ")}`,
    numbers: `= ${[parts.l2_miss, parts.walk_overhead, parts.references]
      .filter((n) => n > 0)
      .map(count)
      .join(" + ")}`,
    terms: [
      ...(parts.l2_miss > 0
        ? [`${second} miss, as much as a hit: ${count(parts.l2_miss)}`]
        : []),
      `start of a walk: ${count(parts.walk_overhead)}`,
      ...readLines(translation, machine),
      ...(outcome === "fault"
        ? [
            "The walk that found no page, and the work of the OS, are not counted.",
          ]
        : []),
    ],
  };
}

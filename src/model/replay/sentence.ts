/** One access in plain English: the words next to the pictures, and what screen readers get. */
import type { ExitReason } from "../../engine/generated/ExitReason";
import type { ExitView } from "../../engine/generated/ExitView";
import type { Kind } from "../../engine/generated/Kind";
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import type { TermId } from "../glossary/terms";
import { listOf } from "./bits";
import { startsAtLevel2 } from "./firstLevel";
import { count, counted, cycles } from "../shared/format";
import { sizeOfShift } from "../shared/pageSizes";
import { nestedGrid } from "../walk/nested/grid";
import { endingOf } from "./noTranslation";
import { leftText, opsText } from "./operations";
import {
  inArray,
  listParts,
  object,
  ofTranslation,
  ranked,
  say,
  term,
  textOf,
} from "./parts";
import type { Part, PictureObject } from "./parts";
import { filledPlaces } from "./filled";
import { WITHOUT_OS } from "./trail";
import { pscName, structureName } from "../tlb/names";
import { wordsOf } from "../words/words";
import type { Words } from "../words/vocabulary";

/** `Access 12,345: load of 8 bytes at 0x7f3a1c2b5e48. Every TLB missed. …` */
export function sentence(
  { step }: { readonly step: StepView },
  machine: MachineView,
): string {
  return textOf(sentenceParts(step, machine));
}

export function sentenceParts(step: StepView, machine: MachineView): Part[] {
  const { access, translations } = step;
  const ending = endingOf(step, machine);
  const before =
    step.before.length > 0
      ? say`Before it: ${opsText(step.before, machine)}. `
      : [];
  const after =
    step.after.length > 0
      ? say` After it: ${opsText(step.after, machine)}.`
      : [];
  return [
    ...ranked("repeated", [...before, ...head(step)]),
    ...exitParts(step.exits ?? [], machine),
    ...translations.flatMap((translation, at) =>
      ofTranslation(at, [
        ...ranked("repeated", pageParts(translation, at, translations.length)),
        ...found(translation, machine, access.kind),
        ...filled(translation, machine),
        ...left(translation, machine),
      ]),
    ),
    ...(step.prefetches ?? []).flatMap(prefetched),
    ...(ending ? say` ${ending.sentence}` : []),
    ...ranked("repeated", after),
  ];
}

const KIND_TERMS: Readonly<Record<Kind, TermId>> = {
  fetch: "load",
  load: "load",
  store: "load",
  prefetch: "access",
};

function head({ access, index }: StepView): Part[] {
  const kind = term(access.kind, KIND_TERMS[access.kind]);
  // A size of 0 means that the recording does not know it.
  const ofSize = access.size === 0 ? "" : ` of ${counted(access.size, "byte")}`;
  return say`${term("Access", "access")} ${count(index)}: ${kind}${ofSize} at ${term(access.address, "virtual-address")}.`;
}

/** ` The page has 4K.`, ` The first page has 4K.` if the access touches two. */
function pageParts(
  { page_shift }: TranslationView,
  at: number,
  pages: number,
): Part[] {
  const which = pages === 1 ? "" : at === 0 ? "first " : "second ";
  return say` The ${which}${term("page", "page")} has ${sizeOfShift(page_shift)}.`;
}

const roleOf = (machine: MachineView, structure: number) =>
  machine.structures[structure]?.role === "l2" ? "l2" : "l1";

/** An array as a noun: `L1 dTLB 4K`. */
function arrayPart(machine: MachineView, structure: number): Part {
  const view = machine.structures[structure];
  const role = roleOf(machine, structure);
  const serves = view?.serves ?? [];
  const isShared = serves.includes("fetch") && serves.length > 1;
  const own: TermId = role === "l2" ? "stlb" : isShared ? "tlb" : "dtlb";
  const name = structureName(machine, structure);
  return inArray(structure, object(name, own, `array-${role}`));
}

/** A slot as nouns: `set 5 way 3`. */
function slotParts(
  machine: MachineView,
  structure: number,
  set: number,
  way: number | null,
): Part[] {
  const role = roleOf(machine, structure);
  const sets = machine.structures[structure]?.sets ?? 1;
  const inSet =
    sets > 1
      ? [inArray(structure, object(`set ${set}`, "set", `set-${role}`))]
      : [];
  if (way === null) return inSet;
  const inWay = inArray(
    structure,
    object(`way ${way}`, "way", `entry-${role}`),
  );
  return inSet.length > 0 ? say`${inSet} ${inWay}` : [inWay];
}

function framePart({ frame }: TranslationView): Part[] {
  return say`${object(`frame ${frame}`, "frame", "frame")}`;
}

/** How the translation was found, and for how many cycles. */
function found(
  translation: TranslationView,
  machine: MachineView,
  kind: Kind,
): Part[] {
  const { outcome, cycles: cost } = translation;
  const total = object(cycles(cost.total), "translation-cycles", "cycles");
  const hit = translation.tlb.find((lookup) => lookup.hit);
  if (hit) {
    const before =
      outcome === "l2-hit" && !startsAtLevel2(machine, kind)
        ? say` The ${object("first level", "tlb", "array-l1")} ${term("missed", "miss")}.`
        : [];
    const slot = slotParts(machine, hit.structure, hit.set, hit.way);
    return say`${before} ${arrayPart(machine, hit.structure)} ${slot} held the ${term("translation", "translation")} to ${framePart(translation)}, for ${total}.`;
  }
  const touch =
    outcome === "fault"
      ? say` ${object("First touch", "first-touch", "touch")}: the operating system mapped the page.`
      : [];
  const levels = (["l1", "l2"] as const).flatMap((role) =>
    machine.structures.some((view) => view.role === role)
      ? ([`array-${role}`] as const)
      : [],
  );
  const { behind } = translation;
  const looked = behind ? behindParts(behind.said) : [];
  const uncounted = outcome === "fault" ? ` ${WITHOUT_OS}` : "";
  const missed = say` Every ${object("TLB", "tlb", ...levels)} ${term("missed", "miss")}.`;
  if (behind?.hit)
    return say`${missed}${looked} It held ${framePart(translation)}, for ${total}.`;
  const walked = translation.nested
    ? nestedParts(translation, machine)
    : walkParts(translation, machine);
  return say`${touch}${missed}${looked}${walked} and found ${framePart(translation)}, for ${total}${uncounted}.`;
}

/** ` POM-TLB set 5 at 0x140: miss.` Only the name is a term. A term is a button and does not wrap, so the full stop after a long one would stand on a line of its own. */
function behindParts(said: string): Part[] {
  const name = /POM-TLB|TLB block/.exec(said)?.[0] ?? said;
  const at = said.indexOf(name);
  return say` ${said.slice(0, at)}${term(name, "stlb")}${said.slice(at + name.length)}.`;
}

const levelOf = ({ level }: LevelView): PictureObject => `level-${level}`;

/** ` The PDE cache hit and skipped 3 levels. The walk read 1 entry (PT entry 181 from L2)`. */
function walkParts(translation: TranslationView, machine: MachineView): Part[] {
  const { psc, levels, refs, hashed } = translation;
  if (hashed) return say` ${hashed.said}`;
  const cache = psc.find((lookup) => lookup.hit);
  const skipped = levels.filter(({ state }) => state === "skipped-by-psc");
  const isPde = levels[skipped.length]?.level === 1;
  const help = cache
    ? say` The ${object(pscName(machine, cache, levels), isPde ? "pde-cache" : "walk-cache", "cache")} ${term("hit", "hit")} and skipped ${object(counted(skipped.length, "level"), "level", ...skipped.map(levelOf))}.`
    : [];
  const reads = levels.filter(({ state }) => state === "read");
  const each = listParts(reads.map((level) => readParts(level, machine)));
  const entries = object(
    counted(refs, "entry", "entries"),
    "reference",
    ...reads.map(levelOf),
  );
  const detail = ranked("detail", say` (${each})`);
  return say`${help} The ${object("walk", "page-walk", "walk")} read ${entries}${reads.length > 0 ? detail : ""}`;
}

/** One reference: `PT entry 181 from L2`. */
function readParts(level: LevelView, machine: MachineView): Part[] {
  const name = `${wordsOf(machine).tableEntry(level.table_name)} ${level.index}`;
  const from = level.served_by ?? "memory";
  return say`${object(name, "pte", levelOf(level))} from ${object(from, "cache-levels", levelOf(level))}`;
}

/**
 * The words for a nested walk: ` The walk read 9 of 24 entries, 5 of the host and 4 of the guest (nested TLB
 * skipped 8),`.
 */
function nestedParts(
  translation: TranslationView,
  machine: MachineView,
): Part[] {
  const { nested, refs } = translation;
  if (!nested) return [];
  const { cells } = nestedGrid(nested, translation, machine);
  const skips = cells.flatMap(({ skip }) => skip ?? []);
  const names = [...new Set(skips.map(({ who }) => who))];
  const skipped = listParts(
    names.map((name) => {
      const n = skips.filter(({ who }) => who === name).length;
      return say`${term(name, "walk-cache")} skipped ${String(n)}`;
    }),
  );
  const [one, many] = wordsOf(machine).violation;
  const violations =
    nested.violations.length > 0
      ? say` After ${term(counted(nested.violations.length, one, many), "vm-exit")}, the`
      : " The";
  const help = names.length > 0 ? ranked("detail", say` (${skipped})`) : "";
  return say`${violations} ${object("walk", "nested-walk", "walk")} read ${String(refs)} of ${counted(nested.cold_refs, "entry", "entries")}, ${String(nested.host_refs)} of the ${term("host", "ept")} and ${String(nested.guest_refs)} of the ${term("guest", "guest")}${help},`;
}

/** ` The translation filled L1 dTLB 4K set 5 way 3, evicting 0x7f3a1b8b5, and STLB set 48 way 3.` */
function filled(translation: TranslationView, machine: MachineView): Part[] {
  const slots = filledPlaces(translation, machine);
  if (slots.length === 0) return [];
  const places = slots.map(({ structure, set, way, evicted }, at) => {
    const role = roleOf(machine, structure);
    const name = say`${arrayPart(machine, structure)} ${slotParts(machine, structure, set, way)}`;
    if (evicted === null) return name;
    // `listParts` puts a comma after all but the last two.
    const comma = at === slots.length - 2 ? "," : "";
    const victim = object(evicted, "evict", `victim-${role}`);
    return [...name, ...ranked("detail", say`, evicting ${victim}${comma}`)];
  });
  return say` The translation ${term("filled", "fill")} ${listParts(places)}.`;
}

/** ` Then page 0x5 was prefetched, with 1 reference.` */
function prefetched({ page_number, refs }: TranslationView): Part[] {
  return say` Then page ${page_number} was prefetched, with ${counted(refs, "reference")}.`;
}

/** Entries that were removed without a fill in their place. */
function left(translation: TranslationView, machine: MachineView): Part[] {
  return translation.left.flatMap(
    (each) => say` ${term("Entry", "entry")} ${leftText(each, machine)}.`,
  );
}

const exitWords = (
  words: Words,
): Readonly<Record<ExitReason, readonly [string, string]>> => ({
  "ept-violation": words.violation,
  "ept-misconfiguration": words.misconfiguration,
  "log-full": ["full log", "full logs"],
  "vm-switch": ["switch of virtual machine", "switches of virtual machine"],
  flush: ["flush by the host", "flushes by the host"],
  "page-table-write": ["page-table write", "page-table writes"],
  "cr3-load": words.rootLoads,
  invlpg: [words.page, words.page],
  "hidden-fault": ["hidden fault", "hidden faults"],
});

/** ` 5 exits to the host: 4 page-table writes and 1 hidden fault.` */
function exitParts(exits: readonly ExitView[], machine: MachineView): Part[] {
  if (exits.length === 0) return [];
  const total = exits.reduce((sum, { n }) => sum + n, 0);
  const named = exitWords(wordsOf(machine));
  const each = exits.map(({ reason, n }) => counted(n, ...named[reason]));
  return say` ${term(counted(total, "exit"), "vm-exit")} to the host: ${listOf(each)}.`;
}

/** One access in plain English, for readers who do not see the pictures. */
import type { ExitReason } from "../../engine/generated/ExitReason";
import type { ExitView } from "../../engine/generated/ExitView";
import type { Kind } from "../../engine/generated/Kind";
import type { MachineView } from "../../engine/generated/MachineView";
import type { Outcome } from "../../engine/generated/Outcome";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { listOf } from "./bits";
import { startsAtLevel2 } from "./firstLevel";
import { count, counted, cycles, pageSize } from "../shared/format";
import { nestedGrid } from "../walk/nested/grid";
import { endingOf } from "./noTranslation";
import { leftText, opsText } from "./operations";
import { filledPlaces } from "./trail";
import { pscName, structureName } from "../tlb/names";
import { wordsOf } from "../words/words";
import type { Words } from "../words/vocabulary";

function found(
  translation: TranslationView,
  machine: MachineView,
  kind: Kind,
): string {
  const { outcome, psc, levels, refs, frame, cycles: cost } = translation;
  const hit = translation.tlb.find((lookup) => lookup.hit);
  if (hit) {
    const before =
      outcome === "l2-hit" && !startsAtLevel2(machine, kind)
        ? "the first level missed and "
        : "";
    return `${before}${structureName(machine, hit.structure)} held the translation to frame ${frame}, for ${cycles(cost.total)}`;
  }
  const cache = psc.find((lookup) => lookup.hit);
  const skipped = levels.filter(
    (level) => level.state === "skipped-by-psc",
  ).length;
  const help = cache
    ? `, ${pscName(machine, cache, levels)} hit and skipped ${counted(skipped, "level")}`
    : "";
  if (translation.nested)
    return `${faultText(outcome)}every TLB missed, and ${nestedText(translation, machine)} to frame ${frame}, for ${cycles(cost.total)}`;
  const { tableEntry } = wordsOf(machine);
  const reads = levels
    .filter((level) => level.state === "read")
    .map(
      (level) =>
        `${tableEntry(level.table_name)} ${level.index} from ${level.served_by ?? "memory"}`,
    );
  return `${faultText(outcome)}every TLB missed${help}, and the walk read ${counted(refs, "entry", "entries")} (${listOf(reads)}) to frame ${frame}, for ${cycles(cost.total)}`;
}

function faultText(outcome: Outcome): string {
  return outcome === "fault"
    ? "the page was touched for the first time and the operating system mapped it; "
    : "";
}

/**
 * The words for a nested walk: `the walk read 9 of 24 entries, 5 of the host and 4 of the guest; nested TLB
 * skipped 8`.
 */
function nestedText(
  translation: TranslationView,
  machine: MachineView,
): string {
  const { nested, refs } = translation;
  if (!nested) return "";
  const { cells } = nestedGrid(nested, translation, machine);
  const skips = cells.flatMap(({ skip }) => skip ?? []);
  const names = [...new Set(skips.map(({ who }) => who))];
  const skipped = names.map(
    (name) =>
      `${name} skipped ${skips.filter(({ who }) => who === name).length}`,
  );
  const violations =
    nested.violations.length > 0
      ? `after ${counted(nested.violations.length, ...wordsOf(machine).violation)} `
      : "";
  const help = skipped.length > 0 ? ` (${listOf(skipped)})` : "";
  return `${violations}the walk read ${refs} of ${counted(nested.cold_refs, "entry", "entries")}, ${nested.host_refs} of the host and ${nested.guest_refs} of the guest${help}`;
}

function filled(translation: TranslationView, machine: MachineView): string {
  const { tlb } = filledPlaces(translation, machine);
  if (tlb.length === 0) return "";
  const places = tlb.map(({ structure, place, evicted }, at) => {
    const name = `${structureName(machine, structure)} ${place}`;
    // `listOf` puts a comma after all but the last two.
    const comma = at === tlb.length - 2 ? "," : "";
    return evicted === null ? name : `${name}, evicting ${evicted}${comma}`;
  });
  return `; filled ${listOf(places)}`;
}

/** Entries that were removed without a fill in their place: `; …` or nothing. */
function left(translation: TranslationView, machine: MachineView): string {
  return translation.left
    .map((each) => `; ${leftText(each, machine)}`)
    .join("");
}

/** The access as one sentence: `Access 12,345: load of 8 bytes at 0x7f3a1c2b5e48, …`. */
export function sentence(
  { step }: { readonly step: StepView },
  machine: MachineView,
): string {
  const { access, index, translations } = step;
  // A size of 0 means that the recording does not know it.
  const ofSize = access.size === 0 ? "" : ` of ${counted(access.size, "byte")}`;
  const ending = endingOf(step, machine);
  const before =
    step.before.length > 0
      ? `Before it: ${opsText(step.before, machine)}. `
      : "";
  const head = `Access ${count(index)}: ${access.kind}${ofSize} at ${access.address}`;
  const sentences = translations.map((translation, at) => {
    const which =
      translations.length > 1 ? `${at === 0 ? "first" : "second"} page, ` : "";
    const size = `a page of ${pageSize(translation.page_shift)}`;
    return `${which}in ${size}: ${found(translation, machine, access.kind)}${filled(translation, machine)}${left(translation, machine)}`;
  });
  const ended = ending ? [`${ending.title}: ${ending.why}`] : [];
  const exits = exitsText(step.exits ?? [], wordsOf(machine));
  const after =
    step.after.length > 0 ? ` After it: ${opsText(step.after, machine)}.` : "";
  return `${before}${head}, ${[...exits, ...sentences, ...ended].join("; ")}.${after}`;
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

/**
 * The exits in words, `5 exits to the host: 4 page-table writes and 1 hidden fault`; empty if there were
 * none.
 */
function exitsText(exits: readonly ExitView[], words: Words): string[] {
  if (exits.length === 0) return [];
  const total = exits.reduce((sum, { n }) => sum + n, 0);
  const named = exitWords(words);
  const parts = exits.map(({ reason, n }) => counted(n, ...named[reason]));
  return [`${counted(total, "exit")} to the host: ${listOf(parts)}`];
}

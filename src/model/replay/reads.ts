/** The references of a one-dimensional or nested walk, in words and with their cycles. */
import type { TranslationView } from "../../engine/generated/TranslationView";
import { count, counted } from "../shared/format";
import type { MachineView } from "../../engine/generated/MachineView";
import { wordsOf } from "../words/words";

interface Read {
  /** The name of a reference: `PT entry`, `nL1 for data`. */
  readonly name: string;
  readonly from: string;
  readonly cycles: number;
}

/** The references in the order of reading. */
function readsOf(
  { levels, nested }: TranslationView,
  machine: MachineView,
): Read[] {
  if (!nested)
    return levels
      .filter(({ state }) => state === "read")
      .map((level) => ({
        name: wordsOf(machine).tableEntry(level.table_name),
        from: level.served_by ?? "memory",
        cycles: level.cycles ?? 0,
      }));
  return nested.rows
    .flatMap(({ host, guest }) => (guest ? [...host, guest] : host))
    .filter(({ state }) => state === "read")
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map((cell) => ({
      name:
        cell.dimension === "host"
          ? `${cell.entry} for ${cell.for}`
          : cell.entry,
      from: cell.served_by ?? "memory",
      cycles: cell.cycles ?? 0,
    }));
}

/** The number of references: `1 reference`, `9 of 24 references`. */
export function referencesText({ refs, nested }: TranslationView): string {
  return nested
    ? `${count(refs)} of ${counted(nested.cold_refs, "reference")}`
    : counted(refs, "reference");
}

/** The cost: `14 to read the PT entry`, `440 to read 9 entries`. */
export function readsText(
  translation: TranslationView,
  machine: MachineView,
): string {
  const reads = readsOf(translation, machine);
  const { references } = translation.cycles;
  const [only] = reads;
  return only && reads.length === 1
    ? `${count(references)} to read the ${only.name}`
    : `${count(references)} to read ${counted(reads.length, "entry", "entries")}`;
}

/** With more references than this, they are summed by the cache that served them. */
const MOST_LINES = 6;

/** One line per reference with its cycles; with many references, one line per cache. */
export function readLines(
  translation: TranslationView,
  machine: MachineView,
): string[] {
  const reads = readsOf(translation, machine);
  if (reads.length <= MOST_LINES)
    return reads.map(
      ({ name, from, cycles }) => `${name} from ${from}: ${count(cycles)}`,
    );
  const servers = [...new Set(reads.map(({ from }) => from))];
  return servers.map((from) => {
    const own = reads.filter((read) => read.from === from);
    const sum = own.reduce((total, { cycles }) => total + cycles, 0);
    return `${counted(own.length, "entry", "entries")} from ${from}: ${count(sum)}`;
  });
}

/** The references in a sentence: `4 host entries and 5 guest entries`. */
export function dimensionsText({ nested }: TranslationView): string | null {
  if (!nested) return null;
  return `${counted(nested.host_refs, "host entry", "host entries")} and ${counted(nested.guest_refs, "guest entry", "guest entries")}`;
}

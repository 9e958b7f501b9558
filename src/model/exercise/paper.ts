/** What a printed sheet says about the state before an access, in place of the pictures. */
import type { Ask } from "../../engine/generated/Ask";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { Picture } from "../learn/picture";
import { count } from "../shared/format";
import { hex } from "../shared/hex";
import { bytesOf } from "../shared/pageSizes";
import { entryAt } from "../tlb/array";
import { setOf } from "../tlb/set";
import { isArray } from "./kinds";
import { MOST_KNOWN } from "./known";
import type { KnownPages } from "./known";

/** A longer address is not typed from paper. */
export const MOST_ADDRESS = 200;

/** Returns whether a sheet can hold what the question needs. */
export function fitsPaper(
  ask: Ask,
  at: number,
  { structures }: Pick<MachineView, "structures">,
): boolean {
  const { kind } = ask;
  if (kind === "number") return at < MOST_KNOWN;
  if (kind === "way" || kind === "victim") {
    // The times of use do not say what other policies evict.
    const view = structures.find(({ name }) => name === ask.of);
    return view?.replacement === "lru" || view?.replacement === "fifo";
  }
  return kind === "outcome" || kind === "set" || kind === "field";
}

/** The contents of the sets in which the access may look; of one array if the question is about one. */
export function setFacts(
  { machine, columns, done }: Pick<Picture, "machine" | "columns" | "done">,
  array: string | undefined,
): readonly string[] {
  return machine.structures.flatMap((view, at) => {
    const content = columns[at];
    const isAsked =
      array === undefined ? isUsable(view, done) : view.name === array;
    if (!content || !isArray(view) || !isAsked) return [];
    const set = setOf(view, pageOf(done, machine));
    const ways = Array.from({ length: view.ways }, (_, way) => {
      const entry = entryAt(content, view.ways, set, way);
      return entry
        ? [
            `way ${way}: ${hex(entry.key)}, filled at ${count(entry.filledAt)}, used at ${count(entry.usedAt)}`,
          ]
        : [];
    }).flat();
    const empty = view.ways - ways.length;
    const place = view.sets === 1 ? view.name : `${view.name}, set ${set}`;
    const rest = empty > 0 ? [`empty ways: ${count(empty)}`] : [];
    return [`${place}: ${[...ways, ...rest].join("; ")}.`];
  });
}

/** Whether the array may hold the page of the access. */
function isUsable(
  { serves, pages }: MachineView["structures"][number],
  { access, translations: [first] }: StepView,
): boolean {
  const isSize =
    !first || pages.some((size) => bytesOf(size) === 2 ** first.page_shift);
  return isSize && serves.includes(access.kind);
}

function pageOf(
  { access, translations: [first] }: StepView,
  { offset_bits }: MachineView,
): bigint {
  return BigInt(access.address) >> BigInt(first?.page_shift ?? offset_bits);
}

/** The mapped pages in one sentence. */
export function pageFacts(
  pages: readonly KnownPages[],
  others: number,
): string {
  if (pages.length === 0) return "No page is mapped yet.";
  const rows = pages.map(({ page, count: n }) =>
    n === 1 ? hex(page) : `${hex(page)} to ${hex(page + BigInt(n - 1))}`,
  );
  const more = others > 0 ? `, and ${count(others)} further away` : "";
  return `Mapped pages: ${rows.join(", ")}${more}.`;
}

/** The numbers of the timeline as CSV. A bin is named by its first and last access, from 0. */
import { csv } from "../shared/csv";
import { binCounts, binSpan, cellAt, hasExceptions } from "./counts";
import type { TimelineColumns } from "./counts";

/** One line per bar: the outcomes of its translations. */
export function binsCsv(timeline: TimelineColumns): string {
  const head = ["first access", "last access", "translations"];
  const exceptions = hasExceptions(timeline);
  const outcomes = ["L1 hits", "L2 hits", "walks", "page faults"];
  return csv([
    [...head, ...outcomes, ...(exceptions ? ["exceptions"] : []), "operations"],
    ...Array.from({ length: timeline.view.bins }, (_, bin) => {
      const { from, to } = binSpan(timeline.view, bin);
      const { translations, outcomes: of } = binCounts(timeline, bin);
      const ends = [of["l1-hit"], of["l2-hit"], of.walk, of.fault];
      if (exceptions) ends.push(of.exception);
      const operations = timeline.operations[bin] ?? 0;
      return [from, to - 1, translations, ...ends, operations];
    }),
  ]);
}

/** One line per non-empty cell of address × time; pages are counted from the top of their region. */
export function cellsCsv(timeline: TimelineColumns): string {
  const { bins, regions } = timeline.view;
  const rows = regions.reduce((sum, region) => sum + region.rows, 0);
  const exceptions = hasExceptions(timeline);
  const lines: (string | number)[][] = [];
  for (let row = 0; row < rows; row++)
    for (let bin = 0; bin < bins; bin++) {
      const cell = cellAt(timeline, bin, row);
      if (!cell || cell.accesses === 0) continue;
      const { from, to } = binSpan(timeline.view, bin);
      const { region, firstPage, lastPage, accesses, walks, faults } = cell;
      const place = [region.name, region.start, firstPage, lastPage];
      const counts = [accesses, walks, faults];
      if (exceptions) counts.push(cell.exceptions);
      lines.push([from, to - 1, ...place, ...counts]);
    }
  const head = ["first access", "last access", "region", "region start"];
  return csv([
    [
      ...head,
      ...["first page", "last page", "accesses", "walks", "page faults"],
      ...(exceptions ? ["exceptions"] : []),
    ],
    ...lines,
  ]);
}

/** How the uses of the trace spread over its pages, in words and as a table. */
import type { PagePopularity } from "../../engine/generated/PagePopularity";
import { csv } from "../shared/csv";
import { count, counted, percentOf, range } from "../shared/format";
import { ownUses } from "./asking";
import type { QuestionOf } from "./asking";
import type { WhatIf } from "./whatIf";

/** Pages by their number of uses, in the whole trace. */
export function popularityQuestion(whatIf: WhatIf): QuestionOf<"popularity"> {
  return { what: "popularity", uses: ownUses(whatIf) };
}

/** A group of pages with a similar number of uses. */
export interface PopularityRow {
  /** Uses of each page: `4 – 7`. */
  readonly uses: string;
  readonly pages: number;
  /** The share of all uses, in words. */
  readonly share: string;
  /** The length of its bar: the group with most uses has 1. */
  readonly part: number;
}

export function popularityRows(found: PagePopularity): PopularityRow[] {
  const most = Math.max(...found.groups.map(({ uses }) => uses));
  return found.groups.map(({ least, pages, uses }) => ({
    uses: range(least, 2 * least - 1),
    pages,
    share: percentOf(uses, found.uses),
    part: uses / most,
  }));
}

/** How few pages get most uses. */
export function fewestText({ pages, fewest }: PagePopularity): string {
  const parts = fewest.map(({ percent, pages: n }, at) =>
    at === 0
      ? `${count(n)} of ${counted(pages, "page")} get ${percent} % of all uses`
      : `${count(n)} get ${percent} %`,
  );
  return `${parts.join(", ")}.`;
}

/** One row per group. */
export function popularityCsv(found: PagePopularity | undefined): string {
  return csv([
    ["least uses of a page", "pages", "uses"],
    ...(found?.groups ?? []).map(({ least, pages, uses }) => [
      least,
      pages,
      uses,
    ]),
  ]);
}

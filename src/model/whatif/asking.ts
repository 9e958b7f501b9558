/** The question behind each panel of the what-if screen. */
import type { PageSize } from "../../engine/generated/PageSize";
import type { Question } from "../../engine/generated/Question";
import type { Uses } from "../../engine/generated/Uses";
import { isAsRecorded } from "../config/pagePolicies";
import { advisedSize, largerSizes, mostAdvised } from "./advice";
import { shapeOf } from "./machine";
import { windowOf } from "./overTime";
import { onlySize, withHuge } from "./pages";
import { KINDS } from "./questions";
import { partOf } from "./whatIf";
import type { WhatIf } from "./whatIf";

/** A question of one kind, so that the type of its answer is known. */
export type QuestionOf<W extends Question["what"]> = Question & {
  readonly what: W;
};

/** The uses of pages as memory is mapped: all of one size, or as the recording measured them. */
export function ownUses({ own, view, size }: WhatIf): Uses {
  return {
    pages: size,
    kinds: [...KINDS[view.kinds]],
    ...(isAsRecorded(own.os) && { recorded: true }),
  };
}

/** Misses by size with pages of one size. */
export function curveQuestion(
  { own, view }: WhatIf,
  pages: PageSize | undefined,
): QuestionOf<"curve"> | undefined {
  if (pages === undefined) return undefined;
  const uses = { pages, kinds: [...KINDS[view.kinds]] };
  return { what: "curve", uses, ...partOf(own) };
}

/** Misses of a second level by size, after the machine's first; `undefined` without a second level. */
export function secondLevelQuestion(
  whatIf: WhatIf,
): QuestionOf<"behind"> | undefined {
  const { own } = whatIf;
  const { machine } = own;
  if (machine.l2.length === 0) return undefined;
  const uses = ownUses(whatIf);
  return { what: "behind", uses, machine, ...partOf(own) };
}

/** Misses by sets and ways. */
export function surfaceQuestion(whatIf: WhatIf): QuestionOf<"surface"> {
  return { what: "surface", uses: ownUses(whatIf), ...partOf(whatIf.own) };
}

/** Misses of the shown array by cause, over the whole trace; `undefined` without an array. */
export function splitQuestion(whatIf: WhatIf): QuestionOf<"split"> | undefined {
  const { place } = whatIf;
  if (!place) return undefined;
  const uses = ownUses(whatIf);
  const { entries, ways } = shapeOf(place.array);
  return { what: "split", uses, entries, ways };
}

/** Pages used over time, in the whole trace. */
export function workingSetQuestion(whatIf: WhatIf): QuestionOf<"working-set"> {
  const window = windowOf(whatIf.trace.n_accesses);
  return { what: "working-set", uses: ownUses(whatIf), window };
}

/** Which memory should be huge pages; `undefined` if the machine has no larger pages. */
export function hugeQuestion(
  { own, size, view }: WhatIf,
  sizes: readonly PageSize[],
): QuestionOf<"huge-pages"> | undefined {
  const huge = advisedSize(largerSizes(sizes, size), own.machine, view.huge);
  if (huge === undefined) return undefined;
  return {
    what: "huge-pages",
    machine: own.machine,
    pages: size,
    huge,
    most: mostAdvised(huge),
    os: withHuge(own.os, size, huge, []),
    ...(own.cores && { cores: own.cores }),
    ...partOf(own),
  };
}

/** Misses by size of the tried machine's pages, over all accesses of the trace. */
export function triedCurveQuestion({
  now,
}: WhatIf): QuestionOf<"curve"> | undefined {
  const pages = onlySize(now.os);
  if (pages === undefined) return undefined;
  return { what: "curve", uses: { pages, kinds: [...KINDS.all] } };
}

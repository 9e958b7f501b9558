/** Pages by their share of samples, and the growth of memory in use, as charts. */
import type { Chart } from "../../engine/generated/Chart";
import type { SurveyPopularity } from "../../engine/generated/SurveyPopularity";
import type { SurveySide } from "../../engine/generated/SurveySide";
import { count, counted, duration, memorySize } from "../shared/format";
import { bytesOf } from "../shared/pageSizes";
import type { SideKey } from "./text";

/** The share of samples on the most popular pages, at each page size; the machine's TLBs are marked. */
export function popularityChart(key: SideKey, side: SurveySide): Chart {
  const marks = side.estimates
    .filter(({ pages }) => pages === side.estimates[0]?.pages)
    .map(({ entries, level }) => ({ x: entries, label: `L${level} TLB` }));
  return {
    title: key === "code" ? "Popularity of code pages" : "Popularity of pages",
    x: { label: "most popular pages", scale: "log10" },
    y: {
      label: `% of ${side.weighted ? "events" : "samples"} on them`,
      scale: "linear",
    },
    series: side.popularity.map(({ pages, points }) => ({
      name: `${pages} pages`,
      kind: "simulated",
      pages,
      points: points.map(([rank, share]): [number, number] => [
        rank,
        100 * share,
      ]),
    })),
    marks,
  };
}

/** Distinct pages with page faults, over the time of the recording. */
export function growthChart(
  side: SurveySide,
  nanoseconds: number | null,
): Chart {
  const { by_time: byTime, pages } = side.bins;
  const isTimed = byTime && nanoseconds !== null && nanoseconds > 0;
  const ms = isTimed ? nanoseconds / 1e6 : 0;
  const [unit, length] = !isTimed
    ? ["% of the samples", 100]
    : ms < 10_000
      ? ["ms", ms]
      : ["s", ms / 1000];
  const at = (bin: number) => (length * bin) / Math.max(1, pages.length);
  return {
    title: "Growth of memory in use",
    x: { label: isTimed ? `time, ${unit}` : unit, scale: "linear" },
    y: { label: "4K pages touched so far", scale: "linear" },
    series: [
      {
        name: "4K pages",
        kind: "simulated",
        pages: "4K",
        points: [
          [0, 0],
          ...pages.map((n, bin): [number, number] => [at(bin + 1), n]),
        ],
      },
    ],
    marks: [],
  };
}

export interface CoverRow {
  readonly pages: string;
  readonly total: string;
  readonly memory: string;
  /** How many of the most popular pages have 50, 90 and 99 %. */
  readonly cover: readonly string[];
}

export function coverRow({ pages, total, cover }: SurveyPopularity): CoverRow {
  return {
    pages,
    total: count(total),
    memory: memorySize(total * bytesOf(pages)),
    cover: cover.map(count),
  };
}

/** The extent of the recording: `14 samples in 2.3 s`. */
export function spanText(samples: number, nanoseconds: number | null): string {
  const n = counted(samples, "sample");
  return nanoseconds === null ? n : `${n} in ${duration(nanoseconds / 1e6)}`;
}

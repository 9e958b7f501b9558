/** The tables of counted samples: each column as shown and in full. */
import type { SurveyEstimate } from "../../engine/generated/SurveyEstimate";
import type { SurveyPage } from "../../engine/generated/SurveyPage";
import type { SurveyRange } from "../../engine/generated/SurveyRange";
import type { SurveyRow } from "../../engine/generated/SurveyRow";
import type { SurveySide } from "../../engine/generated/SurveySide";
import type { SurveyTable } from "../../engine/generated/SurveyTable";
import type { Column } from "../shared/dataTable";
import { NONE, count, counted, percent, percentOf } from "../shared/format";
import { isMeasured, levelsIn } from "./levels";
import type { SideKey } from "./text";
import { backingWord, regionText, rowName } from "./text";
import { processText } from "../import/traceText";

/** What samples are grouped by. */
export type Grouping =
  "regions" | "symbols" | "objects" | "pages" | "page_sizes" | "processes";

const GROUPINGS: Readonly<Record<Grouping, string>> = {
  regions: "Region",
  symbols: "Function",
  objects: "Data",
  pages: "Page",
  page_sizes: "Page size",
  processes: "Process",
};

export function groupingWord(grouping: Grouping): string {
  return GROUPINGS[grouping];
}

/** The groupings with data on a side. A single process is not listed, since it is the whole program. */
export function groupingsOf(side: SurveySide): readonly Grouping[] {
  const all = Object.keys(GROUPINGS) as readonly Grouping[];
  return all.filter((grouping) => {
    if (grouping === "pages") return side.pages.length > 0;
    return side[grouping].rows.length > (grouping === "processes" ? 1 : 0);
  });
}

/** Columns of counts: shares of what the samples stand for, and measured values. */
export function countColumns(
  side: SurveySide,
  grouping: Exclude<Grouping, "pages">,
): readonly Column<SurveyRow>[] {
  const { total } = side;
  const hasFiles = side[grouping].rows.some(
    ({ name, file }) => name !== "" && file !== "",
  );
  const hasPages = side[grouping].rows.some(({ pages }) => pages !== null);
  const name: Column<SurveyRow> = {
    id: "name",
    head: groupingWord(grouping),
    text: rowName,
    value: rowName,
  };
  const file: Column<SurveyRow> = {
    id: "file",
    rank: 7,
    head: "in",
    text: (row) => row.file,
    value: (row) => (row.file === "" ? undefined : row.file),
  };
  const samples: Column<SurveyRow> = {
    id: "samples",
    rank: 3,
    head: "samples",
    isNumber: true,
    text: ({ counts }) => count(counts.samples),
    value: ({ counts }) => counts.samples,
  };
  const share: Column<SurveyRow> = {
    id: "share",
    head: "share",
    isNumber: true,
    text: ({ counts }) => percentOf(counts.weight, total.weight),
    value: ({ counts }) => ratio(counts.weight, total.weight),
  };
  const levels = levelsIn(total).map(
    ({ key, word, meaning }): Column<SurveyRow> => ({
      id: key,
      // Walks are the most interesting class.
      rank: key === "walk" ? 1 : 4,
      head: word,
      help: meaning,
      isNumber: true,
      text: ({ counts }) => percentOf(counts.levels[key], counts.weight),
      value: ({ counts }) => ratio(counts.levels[key], counts.weight),
    }),
  );
  const latency: Column<SurveyRow> = {
    id: "latency",
    rank: 5,
    head: "mean cycles",
    help: "Of a sampled access from start to end, caches included.",
    isNumber: true,
    text: ({ counts }) =>
      counts.latency === null ? NONE : count(counts.latency),
    value: ({ counts }) => counts.latency ?? undefined,
  };
  const pages: Column<SurveyRow> = {
    id: "pages",
    rank: 6,
    head: "4K pages",
    help: "Distinct pages with samples.",
    isNumber: true,
    text: ({ pages }) => (pages === null ? NONE : count(pages)),
    value: ({ pages }) => pages ?? undefined,
  };
  return [
    name,
    ...(hasFiles ? [file] : []),
    samples,
    share,
    ...(isMeasured(total) ? levels : []),
    ...(total.latency === null ? [] : [latency]),
    ...(hasPages ? [pages] : []),
  ];
}

/** What a table leaves out, as a sentence; empty if it is complete. */
export function omittedText(
  { omitted, omitted_weight: weight }: SurveyTable,
  side: SurveySide,
): string {
  if (omitted === 0) return "";
  return `${counted(omitted, "more row")} ${omitted === 1 ? "has" : "have"} ${percentOf(weight, side.total.weight)} of the ${side.weighted ? "events" : "samples"}.`;
}

export function pageColumns(side: SurveySide): readonly Column<SurveyPage>[] {
  const { total } = side;
  return [
    {
      id: "start",
      head: "Page",
      text: ({ start }) => start,
      value: ({ start }) => start,
    },
    ...processColumn(side.pages),
    regionColumn<SurveyPage>(),
    ...samplesColumns<SurveyPage>(total.weight),
    ...walkedColumn<SurveyPage>(side),
  ];
}

export function rangeColumns(side: SurveySide): readonly Column<SurveyRange>[] {
  const { rows } = side.ranges;
  const backing: Column<SurveyRange> = {
    id: "backing",
    rank: 4,
    head: "is",
    help: "From measured page sizes or physical addresses.",
    text: ({ backing }) => backingWord(backing),
    value: ({ backing }) => (backing === "unknown" ? undefined : backing),
  };
  const mapped: Column<SurveyRange> = {
    id: "mapped",
    rank: 7,
    head: "mapped",
    help: "Whether one kind of memory fills the whole range, as a huge page needs.",
    text: ({ mapped }) => mappedWord(mapped) ?? NONE,
    value: ({ mapped }) => mappedWord(mapped),
  };
  return [
    {
      id: "start",
      head: "2M range",
      text: ({ start }) => start,
      value: ({ start }) => start,
    },
    ...processColumn(rows),
    regionColumn<SurveyRange>(),
    ...samplesColumns<SurveyRange>(side.total.weight),
    ...walkedColumn<SurveyRange>(side),
    {
      id: "touched",
      rank: 1,
      head: "4K pages of 512",
      help: "Density: distinct 4K pages with samples. A huge page for few of them wastes memory.",
      isNumber: true,
      text: ({ touched }) => count(touched),
      value: ({ touched }) => touched,
    },
    ...(rows.some((row) => row.backing !== "unknown") ? [backing] : []),
    ...(rows.some((row) => row.mapped !== null) ? [mapped] : []),
  ];
}

/** Rates of the model for the configured machine. */
export function estimateColumns(
  isSure: (estimate: SurveyEstimate) => boolean,
): readonly Column<SurveyEstimate>[] {
  return [
    {
      id: "pages",
      head: "Pages",
      text: ({ pages }) => pages,
      value: ({ pages }) => pages,
    },
    {
      id: "arrays",
      head: "hit in",
      text: arraysText,
      value: arraysText,
    },
    {
      id: "entries",
      rank: 3,
      head: "entries",
      isNumber: true,
      text: ({ entries }) => count(entries),
      value: ({ entries }) => entries,
    },
    {
      id: "rate",
      head: "hit rate",
      help: "In this level or an earlier one, corrected for pages that the samples missed.",
      isNumber: true,
      text: (row) => (isSure(row) ? percent(row.hit_rate) : "unknown"),
      value: (row) => (isSure(row) ? row.hit_rate : undefined),
    },
    {
      id: "low",
      rank: 1,
      head: "95 % from",
      isNumber: true,
      text: ({ low }) => percent(low),
      value: ({ low }) => low,
    },
    {
      id: "high",
      rank: 1,
      head: "to",
      isNumber: true,
      text: ({ high }) => percent(high),
      value: ({ high }) => high,
    },
    {
      id: "uncorrected",
      rank: 4,
      head: "uncorrected",
      help: "As if the sampled pages were the only ones.",
      isNumber: true,
      text: ({ uncorrected }) => percent(uncorrected),
      value: ({ uncorrected }) => uncorrected,
    },
  ];
}

/** Above this share of samples on pages with a single sample, too few pages are known. */
const FEW = 0.1;

/** Returns whether there are too few samples for an estimate. */
export function areFew({ once }: SurveySide): boolean {
  return once > FEW;
}

/** Warnings about the estimates, in addition to the model's assumptions. */
export function estimateNotes(
  key: SideKey,
  side: SurveySide,
): readonly string[] {
  const { estimates, once, completeness } = side;
  return [
    ...(estimates.some((estimate) => estimate.all_fit)
      ? [
          "If all sampled pages fit, a rate is near 100 %; pages without samples are unknown.",
        ]
      : []),
    ...(areFew(side)
      ? [
          `Too few samples: ${percent(once)} are on pages with a single sample, so about as many accesses go to pages without any. The rates are too high, beyond the interval.`,
        ]
      : []),
    ...(completeness === "latency-filtered"
      ? [
          "Only slow accesses were sampled, and misses are more frequent among them than among all.",
        ]
      : []),
    ...(key === "code"
      ? [
          "Time samples stand for fetches: slow code counts more than fast code.",
        ]
      : []),
  ];
}

function arraysText({ level, arrays }: SurveyEstimate): string {
  return `${level === 1 ? "L1" : "L1 or L2"}: ${arrays.join(", ")}`;
}

function ratio(part: number, whole: number): number | undefined {
  return whole > 0 ? part / whole : undefined;
}

function mappedWord(mapped: boolean | null): string | undefined {
  if (mapped === null) return undefined;
  return mapped ? "whole" : "partial";
}

/** The columns that pages and ranges share. */
type Place = Pick<
  SurveyPage,
  "pid" | "region" | "samples" | "weight" | "walked"
>;

function processColumn<R extends Place>(rows: readonly R[]): Column<R>[] {
  if (new Set(rows.map(({ pid }) => pid)).size < 2) return [];
  const value = ({ pid }: R) => pid;
  return [
    {
      id: "pid",
      rank: 6,
      head: "process",
      value,
      text: ({ pid, region }) =>
        pid === 0 && region.name === "kernel" ? "all" : processText(pid),
    },
  ];
}

function regionColumn<R extends Place>(): Column<R> {
  const text = ({ region }: R) => regionText(region);
  return { id: "region", rank: 3, head: "region", text, value: text };
}

function samplesColumns<R extends Place>(all: number): Column<R>[] {
  return [
    {
      id: "samples",
      rank: 2,
      head: "samples",
      isNumber: true,
      text: ({ samples }) => count(samples),
      value: ({ samples }) => samples,
    },
    {
      id: "share",
      head: "share",
      isNumber: true,
      text: ({ weight }) => percentOf(weight, all),
      value: ({ weight }) => ratio(weight, all),
    },
  ];
}

function walkedColumn<R extends Place>({ total }: SurveySide): Column<R>[] {
  if (!isMeasured(total)) return [];
  return [
    {
      id: "walked",
      head: "walked",
      help: "The share of its samples that walked, among those with a known level.",
      isNumber: true,
      text: ({ walked }) => (walked === null ? NONE : percent(walked)),
      value: ({ walked }) => walked ?? undefined,
    },
  ];
}

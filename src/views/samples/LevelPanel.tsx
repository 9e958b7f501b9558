/** Samples by region, function, page and more, and where the processor found their translations. */
import type { ReactNode } from "react";
import type { SurveyPage } from "../../engine/generated/SurveyPage";
import type { SurveyRow } from "../../engine/generated/SurveyRow";
import type { SurveySide } from "../../engine/generated/SurveySide";
import {
  isMeasured,
  levelsIn,
  levelsOfPages,
  pageCounts,
} from "../../model/samples/levels";
import {
  countColumns,
  groupingsOf,
  groupingWord,
  omittedText,
  pageColumns,
} from "../../model/samples/tables";
import type { Grouping } from "../../model/samples/tables";
import type { SideKey } from "../../model/samples/text";
import { useChoice } from "../shared/choices";
import { DataTable } from "../shared/DataTable";
import { Segmented } from "../shared/Segmented";
import { LevelBar, LevelLegend } from "./LevelBar";
import { SamplesPanel } from "./SamplesPanel";
import { facts } from "./source";
import type { SampleSource } from "./source";

export interface LevelPanelProps {
  readonly of: SideKey;
  readonly side: SurveySide;
  readonly source: SampleSource;
}

const TITLES: Readonly<Record<SideKey, string>> = {
  data: "Where samples are",
  faults: "Where pages faulted",
  code: "Where the program was",
};

export function LevelPanel({ of, side, source }: LevelPanelProps) {
  const groupings = groupingsOf(side);
  const [grouping = "regions", setGrouping] = useChoice<Grouping>(
    "by",
    groupings,
    groupings.includes("regions") ? "regions" : groupings[0],
  );
  const measured = isMeasured(side.total);
  const classes =
    grouping === "pages" ? levelsOfPages(side) : levelsIn(side.total);
  const legend = measured ? <LevelLegend classes={classes} /> : null;
  const title = measured ? "Where translations were found" : TITLES[of];
  return (
    <SamplesPanel
      title={title}
      source={source}
      controls={
        <Segmented
          label="By"
          choices={groupings.map((value) => ({
            value,
            label: groupingWord(value),
          }))}
          value={grouping}
          onChange={setGrouping}
        />
      }
    >
      {!measured && of === "data" ? (
        <p className="t2 samples-note">
          The recording has no TLB levels, so it does not show where
          translations were found. Record with `perf mem record` to measure
          them.
        </p>
      ) : null}
      {side.total.levels.no_walk > 0 ? (
        <p className="t2 samples-note">
          “L1 or L2 hit” is one class: this processor does not distinguish the
          two levels.
        </p>
      ) : null}
      {grouping === "pages" ? (
        <PageTable side={side} source={source} legend={legend} />
      ) : (
        <CountTable
          key={grouping}
          side={side}
          source={source}
          grouping={grouping}
          legend={legend}
        />
      )}
    </SamplesPanel>
  );
}

interface PageTableProps extends Omit<LevelPanelProps, "of"> {
  readonly legend: ReactNode;
}

interface TableProps extends PageTableProps {
  readonly grouping: Exclude<Grouping, "pages">;
}

function CountTable({ side, source, grouping, legend }: TableProps) {
  const table = side[grouping];
  const most = Math.max(0, ...table.rows.map(({ counts }) => counts.weight));
  const more = omittedText(table, side);
  return (
    <>
      <DataTable<SurveyRow>
        id="samples"
        title={`Samples by ${groupingWord(grouping).toLowerCase()}`}
        columns={countColumns(side, grouping)}
        rows={table.rows}
        keyOf={({ name, file, region }) =>
          `${name} ${file} ${region?.name ?? ""} ${region?.kind ?? ""} ${String(region?.inferred)}`
        }
        picture={{
          head: "",
          word: "bars",
          rank: 2,
          legend,
          of: ({ counts }) => (
            <LevelBar
              counts={counts}
              most={most}
              isPlain={!isMeasured(side.total)}
            />
          ),
        }}
        file={`${source.file}-${grouping.replace("_", "-")}`}
        facts={facts(source)}
      />
      {more === "" ? null : <p className="t2 samples-note">{more}</p>}
    </>
  );
}

function PageTable({ side, source, legend }: PageTableProps) {
  const most = Math.max(0, ...side.pages.map(({ weight }) => weight));
  return (
    <DataTable<SurveyPage>
      id="pages"
      title="Samples by page"
      columns={pageColumns(side)}
      rows={side.pages}
      keyOf={({ start, pid }) => `${start} ${pid}`}
      picture={{
        head: "",
        word: "bars",
        rank: 4,
        legend,
        of: (page) => (
          <LevelBar
            counts={pageCounts(page, side)}
            most={most}
            isPlain={!isMeasured(side.total)}
          />
        ),
      }}
      file={`${source.file}-pages`}
      facts={facts(source)}
      mono={["start"]}
    />
  );
}

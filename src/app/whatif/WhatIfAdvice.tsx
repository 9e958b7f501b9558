/** Which memory should be huge pages: by region, with its cost, applied with one click. */
import { useState } from "react";
import type { Setup } from "../../engine/engine";
import type { HugeAdvice } from "../../engine/generated/HugeAdvice";
import type { PageSize } from "../../engine/generated/PageSize";
import type { Question } from "../../engine/generated/Question";
import {
  count,
  counted,
  memorySize,
  percentOf,
} from "../../model/shared/format";
import { csv } from "../../model/shared/csv";
import {
  advisedSize,
  advisingCode,
  largerSizes,
  mostAdvised,
  rangesCsv,
} from "../../model/whatif/advice";
import {
  adviceRows,
  adviceSentence,
  mostSavedFirst,
  pickedText,
  rangeText,
  regionsOf,
  withHuge,
} from "../../model/whatif/pages";
import type { SimulatedRow } from "../../model/whatif/pages";
import { isSaving, savedBy, savedParts } from "../../model/whatif/savings";
import { keyOf } from "../../model/whatif/questions";
import { same } from "../../model/shared/mergePatch";
import { AdviceCurve } from "../../views/whatif/AdviceCurve";
import { Panel, Pending } from "../../views/whatif/Panel";
import { CommandLine } from "../../views/shared/CommandLine";
import { Icon } from "../../views/shared/Icon";
import { SavePicture } from "../../views/shared/picture/SavePicture";
import { ModelNumber } from "../../views/shared/Quantity";
import { Segmented } from "../../views/shared/Segmented";
import { useActions, useApp, useAppStore } from "../context";
import { useAnswer, useRuns, valueOf } from "./useAsked";
import { partOf } from "./useWhatIf";
import type { WhatIf } from "./useWhatIf";
import "../../views/whatif/advice.css";

interface PartProps {
  readonly whatIf: WhatIf;
}

/** Regions that are listed. */
const SHOWN = 6;
const NO_SIZES: readonly string[] = [];

export function WhatIfAdvice({ whatIf }: PartProps) {
  const { own, size, view } = whatIf;
  const actions = useActions();
  const sizes = useApp((state) => state.machine?.page_sizes ?? NO_SIZES);
  const larger = largerSizes(sizes, size);
  const huge = advisedSize(larger, own.machine, view.huge);
  const question: (Question & { readonly what: "huge-pages" }) | undefined =
    huge === undefined
      ? undefined
      : {
          what: "huge-pages",
          machine: own.machine,
          pages: size,
          huge,
          most: mostAdvised(huge),
          os: withHuge(own.os, size, huge, []),
          ...(own.cores && { cores: own.cores }),
          ...partOf(own),
        };
  const asked = useAnswer(question);
  const advice = valueOf(asked);
  const attribution = useApp((state) => state.attribution?.view);
  const store = useAppStore();
  const regions = () => {
    if (!advice) return rangesCsv([]);
    const { runs } = store.getState().whatIf;
    const rows = adviceRows(
      advice,
      regionsOf(attribution, whatIf.trace.regions),
    );
    const simulated = rows.map((row) => {
      const run = valueOf(runs[keyOf(setupOf(whatIf, advice, row.starts))]);
      return { ...row, saved: run && savedBy(advice, run) };
    });
    return rangesCsv(simulated);
  };
  const title = `Where ${huge ?? "2M"} pages help`;
  const table = () =>
    csv([
      ["huge pages", "walks", "walk cycles", "more bytes"],
      ...(advice?.points ?? []).map((point) => [
        point.huge_pages,
        point.walks,
        point.walk_cycles,
        point.extra_bytes,
      ]),
    ]);
  return (
    <Panel
      title={title}
      of={whatIf.isPart ? "part" : undefined}
      note="each region by itself"
      controls={
        <>
          {huge !== undefined && larger.length > 1 ? (
            <Segmented<PageSize>
              label="Pages that are advised"
              value={huge}
              choices={larger.map((value) => ({ value, label: value }))}
              onChange={(next) => actions.chooseWhatIf({ huge: next })}
            />
          ) : null}
          <SavePicture
            what={title}
            tables={[
              { of: "regions", csv: regions },
              { of: "walks left", csv: table },
            ]}
          />
        </>
      }
    >
      {!question ? (
        <p className="t2">
          {sizes.length > 1
            ? `All memory has pages of ${size} already.`
            : "The machine has no larger pages."}
        </p>
      ) : advice ? (
        <Advice whatIf={whatIf} advice={advice} />
      ) : (
        <Pending
          what="Simulating huge pages"
          asked={asked}
          height={220}
          onCancel={() => actions.cancelAsked([question])}
          onAgain={() => void actions.ask(question)}
        />
      )}
    </Panel>
  );
}

/** The machine as it is configured, with just these pages huge. */
function setupOf(
  { own, size }: WhatIf,
  { huge }: HugeAdvice,
  starts: readonly string[],
): Setup {
  return { ...own, os: withHuge(own.os, size, huge, starts) };
}

/** The rows that are listed, with what a run of each saves, where that is known, and why it is not. */
function useRows(whatIf: WhatIf, advice: HugeAdvice) {
  const attribution = useApp((state) => state.attribution?.view);
  const rows = adviceRows(
    advice,
    regionsOf(attribution, whatIf.trace.regions),
  ).slice(0, SHOWN);
  const runs = useRuns(
    rows.map(({ starts }) => setupOf(whatIf, advice, starts)),
  );
  const simulated = rows.map((row, at) => {
    const run = runs[at];
    const report = valueOf(run);
    return {
      ...row,
      saved: report && savedBy(advice, report),
      why: run?.status === "failed" ? run.why : undefined,
    };
  });
  return mostSavedFirst(simulated);
}

function Advice({
  whatIf,
  advice,
}: PartProps & { readonly advice: HugeAdvice }) {
  const { own, now, size } = whatIf;
  const actions = useActions();
  const rows = useRows(whatIf, advice);
  const parts = savedParts(rows.map(({ saved }) => saved));
  const [chosen, setChosen] = useState<string>();
  const row = rows.find(({ starts }) => starts[0] === chosen) ?? rows[0];
  const before = advice.points[0]?.walks ?? 0;
  const osOf = (starts: readonly string[]) =>
    setupOf(whatIf, advice, starts).os;
  const isApplied = (starts: readonly string[]) =>
    starts.length > 0 && same({ ...osOf(starts) }, { ...now.os });
  /** A second time takes it off again. */
  const apply = (starts: readonly string[]) =>
    actions.changeWhatIf({
      machine: now.machine,
      os: isApplied(starts) ? own.os : osOf(starts),
    });
  const first = (n: number) =>
    advice.picks.slice(0, n).map(({ start }) => start);
  const picks = first(advice.picks.length);
  if (!row) return <p className="t2">{adviceSentence(advice, undefined)}</p>;
  const saved = `Walks with all memory in ${size} pages, less those with the pages of this row huge and no others: a run of each, on the machine as configured. Rows do not add up: pages that are huge together save more or less.`;
  return (
    <>
      <div className="wi-scroll-x">
        <table className="wi-table">
          <thead>
            <tr>
              <th scope="col">region</th>
              <th scope="col" className="wi-minor">
                range
              </th>
              <th scope="col" className="number">
                <ModelNumber formula={saved}>walks saved</ModelNumber>
              </th>
              <th scope="col" className="number">
                {advice.huge} pages
              </th>
              <th scope="col" className="number">
                wasted
              </th>
              <th scope="col">
                <span className="sr-only">apply</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((each, at) => (
              <Row
                key={`${each.name} ${each.start}`}
                row={each}
                part={parts[at] ?? 0}
                isChosen={each === row}
                isApplied={isApplied(each.starts)}
                onChoose={() => setChosen(each.starts[0])}
                onApply={() => {
                  setChosen(each.starts[0]);
                  apply(each.starts);
                }}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="wi-advice">
        {saves(row) ? <b>Start with {row.name}. </b> : null}
        {adviceSentence(advice, row)}
        {now.machine === own.machine
          ? null
          : " That is on the machine as configured, without what is changed of its structures."}
      </p>
      {saves(row) ? (
        <CommandLine
          text={advisingCode(row.starts, advice.huge, own.machine)}
          what={`huge pages for ${row.name}`}
        />
      ) : null}
      <p className="t2 small wi-advice">
        Walks left by huge pages; each point is a simulation with all pages up
        to there. {pickedText(advice)} {counted(advice.picks.length, "page")}{" "}
        {advice.picks.length === 1 ? "leaves" : "leave"}{" "}
        {percentOf(advice.points.at(-1)?.walks ?? 0, before)} of the walks.{" "}
        <button
          type="button"
          className="btn"
          aria-pressed={isApplied(picks)}
          onClick={() => apply(picks)}
        >
          {isApplied(picks) ? <Icon name="check" size={12} /> : null}
          {isApplied(picks) ? "Applied" : "Apply"} all{" "}
          {count(advice.picks.length)}
        </button>
      </p>
      <AdviceCurve
        points={advice.points}
        isApplied={(n) => isApplied(first(n))}
        onApply={(n) => apply(first(n))}
      />
    </>
  );
}

/** Whether it is known that anything is gained. */
function saves({ saved }: SimulatedRow): boolean {
  return saved !== undefined && isSaving(saved);
}

interface RowProps {
  readonly row: SimulatedRow & { readonly why: string | undefined };
  /** Of the most walks that a row saves. */
  readonly part: number;
  readonly isChosen: boolean;
  /** The machine that is tried has these pages huge, and no others of the advice. */
  readonly isApplied: boolean;
  readonly onChoose: () => void;
  readonly onApply: () => void;
}

function Row(props: RowProps) {
  const { row, part, isChosen, isApplied, onChoose, onApply } = props;
  return (
    <tr data-own={isChosen || undefined}>
      <th scope="row">
        <button type="button" className="plain-button" onClick={onChoose}>
          {row.name}
        </button>
      </th>
      <td className="mono t2 small wi-minor">
        {rangeText(row.start, row.end)}
      </td>
      <td className="number">
        <span className="mono" title={row.why}>
          {row.saved ? count(row.saved.walks) : row.why ? "–" : "…"}
        </span>
        <span className="wi-bar" style={{ width: `${part * 36 + 1}px` }} />
      </td>
      <td className="number mono">{count(row.starts.length)}</td>
      <td className="number t2">{memorySize(row.wasted)}</td>
      <td className="number">
        {saves(row) ? (
          <button
            type="button"
            className="btn quiet"
            aria-label={`Apply to ${row.name}`}
            aria-pressed={isApplied}
            title={isApplied ? "Takes it off again" : undefined}
            onClick={onApply}
          >
            {isApplied ? <Icon name="check" size={12} /> : null}
            {isApplied ? "Applied" : "Apply"}
          </button>
        ) : null}
      </td>
    </tr>
  );
}

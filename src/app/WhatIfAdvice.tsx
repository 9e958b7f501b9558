/** Which memory should be huge pages: by region, with its cost, applied with one click. */
import { useState } from "react";
import type { HugeAdvice } from "../engine/generated/HugeAdvice";
import type { PageSize } from "../engine/generated/PageSize";
import type { Question } from "../engine/generated/Question";
import { count, counted, memorySize, percentOf } from "../model/format";
import { csv } from "../model/csv";
import {
  advisedSize,
  advisingCode,
  largerSizes,
  mostAdvised,
  rangesCsv,
} from "../model/whatIfAdvice";
import {
  adviceRows,
  adviceSentence,
  rangeText,
  regionsOf,
  withHuge,
} from "../model/whatIfPages";
import type { AdviceRow } from "../model/whatIfPages";
import { isSaving, savedParts } from "../model/whatIfSaved";
import { same } from "../model/permalinkPatch";
import { AdviceCurve } from "../views/whatif/AdviceCurve";
import { Panel, Pending } from "../views/whatif/Panel";
import { CommandLine } from "../views/shared/CommandLine";
import { Icon } from "../views/shared/Icon";
import { SavePicture } from "../views/shared/picture/SavePicture";
import { ModelNumber } from "../views/shared/Quantity";
import { Segmented } from "../views/shared/Segmented";
import { useActions, useApp } from "./context";
import { useAnswer, valueOf } from "./useAsked";
import type { WhatIf } from "./useWhatIf";
import "../views/whatif/advice.css";

interface PartProps {
  readonly whatIf: WhatIf;
}

/** Regions that are listed. */
const SHOWN = 6;
const SAVED =
  "Walks of the simulation before less those of the one with these pages huge, too. Where several became huge at once, what they saved is shared by the walks in each.";
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
        };
  const asked = useAnswer(question);
  const advice = valueOf(asked);
  const attribution = useApp((state) => state.attribution?.view);
  const regions = () =>
    rangesCsv(
      advice
        ? adviceRows(advice, regionsOf(attribution, whatIf.trace.regions))
        : [],
    );
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
      isOfWhole={whatIf.isPart}
      note="by region, most saved first"
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

function Advice({
  whatIf,
  advice,
}: PartProps & { readonly advice: HugeAdvice }) {
  const { own, now, trace, size } = whatIf;
  const actions = useActions();
  const attribution = useApp((state) => state.attribution?.view);
  const rows = adviceRows(advice, regionsOf(attribution, trace.regions));
  const parts = savedParts(rows);
  const [chosen, setChosen] = useState(0);
  const row = rows[chosen] ?? rows[0];
  const before = advice.points[0]?.walks ?? 0;
  const osOf = (starts: readonly string[]) =>
    withHuge(own.os, size, advice.huge, starts);
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
  if (!row) return <p className="t2">{adviceSentence(advice, rows)}</p>;
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
                <ModelNumber formula={SAVED}>walks saved</ModelNumber>
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
            {rows.slice(0, SHOWN).map((each, at) => (
              <Row
                key={`${each.name} ${each.start}`}
                row={each}
                part={parts[at] ?? 0}
                isChosen={each === row}
                isApplied={isApplied(each.starts)}
                onChoose={() => setChosen(at)}
                onApply={() => {
                  setChosen(at);
                  apply(each.starts);
                }}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="wi-advice">
        {isSaving(row) ? <b>Start with {row.name}. </b> : null}
        {adviceSentence(advice, [row])}
      </p>
      {isSaving(row) ? (
        <CommandLine
          text={advisingCode(row.starts, advice.huge, own.machine)}
          what={`huge pages for ${row.name}`}
        />
      ) : null}
      <p className="t2 small wi-advice">
        Walks left by huge pages, the best first; each point is a whole
        simulation. {counted(advice.picks.length, "page")} leave{" "}
        {percentOf(advice.points.at(-1)?.walks ?? 0, before)} of them.{" "}
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

interface RowProps {
  readonly row: AdviceRow;
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
        <span className="mono">{count(row.walks)}</span>
        <span className="wi-bar" style={{ width: `${part * 36 + 1}px` }} />
      </td>
      <td className="number mono">{count(row.starts.length)}</td>
      <td className="number t2">{memorySize(row.wasted)}</td>
      <td className="number">
        {isSaving(row) ? (
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

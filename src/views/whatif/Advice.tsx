/** Which memory should be huge pages: by region, with its cost, applied with one click. */
import { useState } from "react";
import type { HugeAdvice } from "../../engine/generated/HugeAdvice";
import { isAsRecorded } from "../../model/config/pagePolicies";
import {
  count,
  counted,
  memorySize,
  percentOf,
} from "../../model/shared/format";
import { same } from "../../model/shared/mergePatch";
import { advisedSetup, advisingCode } from "../../model/whatif/advice";
import {
  adviceSentence,
  pickedText,
  rangeText,
} from "../../model/whatif/pages";
import type { SimulatedRow } from "../../model/whatif/pages";
import { isSaving, savedParts } from "../../model/whatif/savings";
import type { WhatIf } from "../../model/whatif/whatIf";
import { CommandLine } from "../shared/CommandLine";
import { Icon } from "../shared/Icon";
import { AdviceCurve } from "./AdviceCurve";
import { FitTable } from "./FitTable";
import type { Head } from "./FitTable";
import type { PanelActions } from "./panelActions";
import { Verdict } from "./Verdict";
import "./advice.css";

export interface AdvisedRow extends SimulatedRow {
  /** Why its run failed. */
  readonly why: string | undefined;
}

export interface AdviceProps extends Pick<PanelActions, "onChange"> {
  readonly whatIf: WhatIf;
  readonly advice: HugeAdvice;
  /** The listed regions. */
  readonly rows: readonly AdvisedRow[];
}

export function Advice({ whatIf, advice, rows, onChange }: AdviceProps) {
  const { own, now, size } = whatIf;
  const parts = savedParts(rows.map(({ saved }) => saved));
  const [chosen, setChosen] = useState<string>();
  const row = rows.find(({ starts }) => starts[0] === chosen) ?? rows[0];
  const before = advice.points[0]?.walks ?? 0;
  const osOf = (starts: readonly string[]) =>
    advisedSetup(whatIf, advice, starts).os;
  const isApplied = (starts: readonly string[]) =>
    starts.length > 0 && same({ ...osOf(starts) }, { ...now.os });
  /** A second click removes the huge pages. */
  const apply = (starts: readonly string[]) =>
    onChange({
      machine: now.machine,
      os: isApplied(starts) ? own.os : osOf(starts),
    });
  const first = (n: number) =>
    advice.picks.slice(0, n).map(({ start }) => start);
  const picks = first(advice.picks.length);
  if (!row) return <p className="t2">{adviceSentence(advice, undefined)}</p>;
  const base = isAsRecorded(own.os)
    ? "with the recorded pages"
    : `with all memory in ${size} pages`;
  const saved = `Walks ${base}, minus walks with only this row’s pages huge: one run per row, on the configured machine. Rows do not add up, since huge pages affect each other.`;
  const heads: readonly Head[] = [
    { text: "region" },
    { text: "range", className: "wi-minor" },
    { text: "walks saved", className: "number", formula: saved },
    { text: `${advice.huge} pages`, className: "number" },
    { text: "wasted", className: "number" },
    { text: "apply", isUnseen: true },
  ];
  return (
    <>
      <FitTable heads={heads}>
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
      </FitTable>
      <Verdict advice={advice} />
      <p className="wi-advice">
        {saves(row) ? <b>Start with {row.name}. </b> : null}
        {adviceSentence(advice, row)}
        {now.machine === own.machine
          ? null
          : " This is for the configured machine, without the changes to its structures."}
      </p>
      {saves(row) ? (
        <CommandLine
          text={advisingCode(row.starts, advice.huge, own.machine)}
          what={`huge pages for ${row.name}`}
        />
      ) : null}
      <p className="t2 small wi-advice">
        Walks left by huge pages; each point is a simulation with all pages up
        to that point. {pickedText(advice)}{" "}
        {counted(advice.picks.length, "page")}{" "}
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

/** Whether it is known that there is a gain. */
function saves({ saved }: SimulatedRow): boolean {
  return saved !== undefined && isSaving(saved);
}

interface RowProps {
  readonly row: AdvisedRow;
  /** The largest saving of a row in walks. */
  readonly part: number;
  readonly isChosen: boolean;
  /** Whether the tried machine has exactly these pages huge. */
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
            title={isApplied ? "Remove it" : undefined}
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

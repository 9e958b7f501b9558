/**
 * The one-dimensional walk from top to bottom, for narrow screens: skipped tables in one hatched block, then
 * one row per read.
 */
import { Suspense } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import type { LevelView } from "../../engine/generated/LevelView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { cyclesShort } from "../../model/shared/format";
import { outcomeColour } from "../../model/shared/outcome";
import type { Refusal } from "../../model/walk/refused";
import type { NativeStep } from "../../model/walk/steps";
import type { PageEnd } from "../../model/walk/tables";
import {
  entryTarget,
  hitOf,
  pageEnd,
  servedRank,
  skipOf,
} from "../../model/walk/tables";
import { skipHatch } from "../shared/Patterns";
import { placesOf } from "../shared/terms/places";
import { HashedLines } from "./lazyLines";
import { levelSentence } from "./levelSentence";
import { useLevelKeys } from "./useLevelKeys";
import type { NativeChoice } from "./useNativeWalk";
import { reachedOf } from "./useNativeWalk";

export interface WalkRowsProps {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  readonly steps: readonly NativeStep[];
  readonly choice: NativeChoice;
  /** Why the last entry refused the access; `null` if the walk found the page. */
  readonly refusal?: Refusal | null;
}

const WIDTH = 358;
const SKIPPED_ROW = 30;
const READ_ROW = 54;

export function WalkRows(props: WalkRowsProps) {
  const { translation, machine, steps, choice, refusal = null } = props;
  const { levels } = translation;
  const reached = reachedOf(steps, choice.at, levels.length);
  const keys = useLevelKeys(choice, levels.length, "Tables of the walk");
  const skipped = levels.filter((level) => level.state !== "read").length;
  const block = skipped * SKIPPED_ROW + (skipped > 0 ? 2 : 0);
  const reads = block + (skipped > 0 ? 8 : 0);
  const bottom = reads + (levels.length - skipped) * READ_ROW;
  const rowY = (at: number) =>
    at < skipped ? 6 + at * SKIPPED_ROW : reads + (at - skipped) * READ_ROW;
  const page = refusal ? null : pageEnd(translation);
  const ink = outcomeColour(
    translation.refs > 0 ? "walk" : translation.outcome,
  );
  return (
    <div className="walk-picture" {...keys.list}>
      {translation.hashed ? (
        <Suspense>
          <div className={reached.lines ? undefined : "walk-to-come"}>
            <HashedLines
              alone
              hashed={translation.hashed}
              level={levels[0]}
              machine={machine}
              width={WIDTH}
            />
          </div>
        </Suspense>
      ) : null}
      <svg
        className="walk-svg"
        // The outline of a row at the top needs space.
        viewBox={`0 -4 ${WIDTH} ${bottom + 30}`}
        role="presentation"
      >
        <g aria-hidden="true">
          {skipped > 0 ? (
            <rect
              x={0.5}
              y={0.5}
              width={WIDTH - 1}
              height={block - 1}
              rx={3}
              fill={skipHatch("combined")}
              stroke="var(--line-strong)"
            />
          ) : null}
          {levels.map((level, at) =>
            level.state === "read" ? (
              <g
                key={level.level}
                className={at < reached.tables ? undefined : "walk-to-come"}
              >
                <ReadRow
                  level={level}
                  y={rowY(at)}
                  target={entryTarget(translation, at)}
                  rank={servedRank(machine, level.served_by ?? "")}
                  refused={
                    refusal && at === levels.length - 1
                      ? refusal.field
                      : undefined
                  }
                  outlined={choice.pinned && choice.selected === at}
                />
              </g>
            ) : (
              <SkippedRow key={level.level} level={level} y={rowY(at)} />
            ),
          )}
          {skipped > 0 ? (
            <Reason
              translation={translation}
              machine={machine}
              y={skipped === 1 ? 4 : block / 2 - 20}
              isOneRow={skipped === 1}
            />
          ) : null}
          {page ? (
            <g className={reached.page ? undefined : "walk-to-come"}>
              <PageRow page={page} y={bottom} ink={ink} />
            </g>
          ) : (
            <text x={44} y={bottom + 13} className="fault b">
              exception; not reached: {refusal?.rest}
            </text>
          )}
        </g>
        {levels.map((level, at) => (
          <rect
            key={level.level}
            className="walk-level"
            data-level={level.level}
            x={level.state === "read" ? 1 : 10}
            y={rowY(at)}
            width={level.state === "read" ? WIDTH - 2 : 142}
            height={level.state === "read" ? 46 : 20}
            rx={3}
            {...keys.option(at)}
            aria-label={
              at < reached.tables
                ? levelSentence(level, machine)
                : `${level.table_name}, not reached yet`
            }
          />
        ))}
      </svg>
    </div>
  );
}

/** The page at the end: its offset and the physical address. */
function PageRow({
  page,
  y,
  ink,
}: {
  readonly page: PageEnd;
  readonly y: number;
  readonly ink: string;
}) {
  return (
    <>
      <path className="walk-arrow" stroke={ink} d={`M22 ${y - 8}v16h8`} />
      <path
        d="M0 -5 11 0 0 5Z"
        fill={ink}
        transform={`translate(28 ${y + 8})`}
      />
      <rect
        className="lit-frame"
        {...placesOf("frame")}
        x={40}
        y={y - 4}
        width={WIDTH - 41}
        height={24}
        rx={3}
      />
      <text x={44} y={y + 13} className="b">
        page{" "}
        <tspan className="mono quiet" dx={4}>
          + {page.offset} =
        </tspan>
      </text>
      <text x={WIDTH} y={y + 13} className="mono physical" textAnchor="end">
        {page.physical}
      </text>
    </>
  );
}

function SkippedRow({
  level,
  y,
}: {
  readonly level: LevelView;
  readonly y: number;
}) {
  return (
    <>
      <rect
        className="walk-plate"
        x={10}
        y={y}
        width={142}
        height={20}
        rx={2}
      />
      <text x={16} y={y + 15} className="faint">
        {level.table_name}
      </text>
      <text
        x={hasLongName(level) ? 146 : 92}
        y={y + 15}
        className="mono physical faint"
        textAnchor="end"
      >
        {level.index}
      </text>
      {hasLongName(level) ? null : (
        <text x={146} y={y + 15} className="xs faint" textAnchor="end">
          skipped
        </text>
      )}
    </>
  );
}

/** Names such as “page table” leave no space for an index next to them. */
function hasLongName({ table_name }: LevelView): boolean {
  return table_name.length > 6;
}

interface ReadRowProps {
  readonly level: LevelView;
  readonly y: number;
  readonly target: string;
  readonly rank: 1 | 2 | 3 | 4;
  readonly refused: string | undefined;
  readonly outlined: boolean;
}

function ReadRow(props: ReadRowProps) {
  const { level, y, target, rank, refused, outlined } = props;
  const isLong = hasLongName(level);
  const addressX = isLong ? 142 : 129;
  return (
    <>
      <rect
        className={refused === undefined ? "walk-lit" : "walk-lit denied"}
        data-flight={level.leaf ? "walk" : undefined}
        x={1}
        y={y}
        width={WIDTH - 2}
        height={46}
        rx={3}
      />
      <circle className="walk-order" cx={22} cy={y + 23} r={10} />
      <text x={22} y={y + 27.5} className="order b" textAnchor="middle">
        {level.order}
      </text>
      <text x={42} y={y + (isLong ? 18 : 28)} className="b walk-ink">
        {level.table_name}
      </text>
      <text
        x={isLong ? 42 : 120}
        y={y + (isLong ? 38 : 28)}
        className="mono index large"
        textAnchor={isLong ? "start" : "end"}
      >
        {level.index}
      </text>
      <text x={addressX} y={y + 20} className="mono">
        {level.entry_address}
      </text>
      {refused === undefined ? (
        <text x={addressX} y={y + 37} className="mono xs">
          → {level.leaf && !isLong ? "frame " : ""}
          {target}
        </text>
      ) : (
        <text x={addressX} y={y + 37} className="xs fault b">
          {refused}
        </text>
      )}
      {outlined ? (
        <rect
          className="walk-chosen"
          x={1}
          y={y - 2}
          width={WIDTH - 2}
          height={50}
          rx={4}
        />
      ) : null}
      {level.served_by === null ? null : (
        <>
          <rect
            className={`walk-served walk-ref${rank}`}
            x={254}
            y={y + 11}
            width={96}
            height={24}
            rx={3}
          />
          <text
            x={302}
            y={y + 27.5}
            className={`m walk-on${rank}`}
            textAnchor="middle"
          >
            {level.served_by} · {cyclesShort(level.cycles ?? 0)}
          </text>
        </>
      )}
    </>
  );
}

interface ReasonProps {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  readonly y: number;
  /** Whether there is space only for the name of the structure. */
  readonly isOneRow: boolean;
}

/** The structure that skipped the reads, on a plate over the hatch. */
function Reason({ translation, machine, y, isOneRow }: ReasonProps) {
  const hit = hitOf(translation, machine);
  const skip = skipOf(translation, machine);
  const title = hit === null ? (skip?.who ?? "") : `${hit} hit`;
  const what =
    hit === null
      ? `${skip?.path ?? ""} → ${skip?.address ?? ""}`
      : `→ frame ${translation.frame}`;
  // Long paths do not fit, and the indices are on the left anyway.
  const short = what.length * 6.7 > 178 ? `→ ${skip?.target ?? ""}` : what;
  return (
    <g {...placesOf("cache")}>
      <rect
        className="lit-frame"
        x={161}
        y={y - 3}
        width={192}
        height={(isOneRow ? 24 : 40) + 6}
        rx={5}
      />
      <rect
        className="walk-plate outlined"
        x={164}
        y={y}
        width={186}
        height={isOneRow ? 24 : 40}
        rx={3}
      />
      <text x={257} y={y + 17} className="b" textAnchor="middle">
        {title}
      </text>
      {isOneRow ? null : (
        <text x={257} y={y + 32} className="mono xs" textAnchor="middle">
          {short}
        </text>
      )}
    </g>
  );
}

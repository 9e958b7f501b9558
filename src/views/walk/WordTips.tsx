/** Explains the words of the walk picture under the pointer. The legend lists the same words for the keyboard. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import {
  BAR,
  NOT_READ,
  endsMeaning,
  levelMeaning,
  rootMeaning,
  tableMeaning,
  walkMeanings,
} from "../../model/walk/glossary";
import type { Meaning } from "../../model/walk/glossary";
import { LIT_HEIGHT, ROW_HEIGHT, STRIP, rowTop } from "../../model/walk/layout";
import type { WalkLayout } from "../../model/walk/layout";
import { isEmpty, tableRows } from "../../model/walk/tables";
import { useTip } from "../shared/useTip";

export interface WordTipsProps {
  readonly levels: readonly LevelView[];
  readonly machine: MachineView;
  readonly layout: WalkLayout;
  readonly onPick: (table: number) => void;
  readonly onHover: (table: number | null) => void;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly meaning: Meaning;
}

export function WordTips(props: WordTipsProps) {
  const { levels, machine, layout, onPick, onHover } = props;
  const { show, hide, dismiss, tip } = useTip();
  const spot = (place: Place, table: number | null) => {
    const { meaning, ...box } = place;
    return (
      <rect
        key={`${box.x} ${box.y}`}
        className="walk-word"
        data-level={table === null ? undefined : levels[table]?.level}
        {...box}
        onPointerEnter={(event) => {
          onHover(table);
          if (event.pointerType !== "touch")
            show(event.currentTarget, <WordTip {...meaning} />);
        }}
        onPointerLeave={() => {
          onHover(null);
          hide();
        }}
        onClick={() => {
          dismiss();
          if (table !== null) onPick(table);
        }}
      />
    );
  };
  const root = { x: 0, y: 46, width: 68, height: 32 };
  return (
    <>
      <g aria-hidden="true">
        {layout.compact
          ? null
          : spot({ ...root, meaning: rootMeaning(machine) }, null)}
        {levels.flatMap((level, at) =>
          placesOf(level, layout.columns[at] ?? 0, props).map((place) =>
            spot(place, at),
          ),
        )}
      </g>
      {tip}
    </>
  );
}

function placesOf(
  level: LevelView,
  x: number,
  { machine, layout }: WordTipsProps,
): Place[] {
  const { columnWidth, rowsAt, rowsWidth, lit, stripHeight } = layout;
  const half = columnWidth / 2;
  const left = x + rowsAt;
  return [
    {
      x,
      y: 46,
      width: half,
      height: 16,
      meaning: tableMeaning(level, machine),
    },
    {
      x: x + half,
      y: 46,
      width: half,
      height: 16,
      meaning: levelMeaning(level, machine),
    },
    {
      x: x - 4,
      y: STRIP.top - 4,
      width: STRIP.width + 8,
      height: stripHeight + 8,
      meaning: endsMeaning(level),
    },
    ...tableRows(level)
      .filter((row) => !isEmpty(row))
      .map((row) => ({
        x: left,
        y: rowTop(layout, row.at),
        width: rowsWidth,
        height: ROW_HEIGHT,
        meaning: {
          word: `entry ${row.index}`,
          meaning: `${row.value}. ${BAR.meaning}`,
        },
      })),
    ...(level.state === "read"
      ? []
      : [
          {
            x: left,
            y: lit,
            width: rowsWidth,
            height: LIT_HEIGHT,
            meaning: NOT_READ,
          },
        ]),
  ];
}

/** All words of the walk, for the legend. */
export function WalkWords({
  levels,
  machine,
}: Pick<WordTipsProps, "levels" | "machine">) {
  return walkMeanings(levels, machine).map((each) => (
    <p key={each.word}>
      <WordTip {...each} />
    </p>
  ));
}

function WordTip({ word, meaning }: Meaning) {
  return (
    <span className="walk-tip">
      <b>{word}</b>: {meaning}
    </span>
  );
}

/** The 1-D walk from left to right: CR3, one column per table, the page at the end. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { hitOf, pageEnd, skipOf } from "../../model/walk";
import { WALK_HEIGHT, WALK_WIDTH, walkLayout } from "../../model/walkLayout";
import { GlyphMark } from "../shared/Glyph";
import { useTip } from "../shared/useTip";
import { entryTip, levelSentence } from "./entryTip";
import { PageColumn } from "./PageColumn";
import { SkipBanner } from "./SkipBanner";
import { TableColumn } from "./TableColumn";
import { useLevelKeys } from "./useLevelKeys";
import type { LevelPicture } from "./useLevelKeys";
import { WalkArrows } from "./WalkArrows";

export interface WalkColumnsProps extends LevelPicture {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  /** Physical address of the root table: CR3. */
  readonly root: string;
}

export function WalkColumns({
  translation,
  machine,
  root,
  ...picture
}: WalkColumnsProps) {
  const { levels } = translation;
  const rank = machine.page_sizes.indexOf(translation.page_size);
  const layout = walkLayout(levels.length, machine.levels, Math.max(rank, 0));
  const skip = skipOf(translation, machine);
  const hit = hitOf(translation, machine);
  const keys = useLevelKeys(picture, levels.length, "Tables of the walk");
  const { show, hide, tip } = useTip();
  const page = pageEnd(translation);
  return (
    <div className="walk-picture" {...keys.list}>
      <svg
        className="walk-svg"
        viewBox={`0 0 ${WALK_WIDTH} ${WALK_HEIGHT}`}
        role="presentation"
      >
        <WalkArrows
          translation={translation}
          layout={layout}
          skipped={skip?.count ?? 0}
          hit={hit !== null}
        />
        <SkipBanner
          translation={translation}
          layout={layout}
          skip={skip}
          hit={hit}
        />
        <text x={0} y={58} className={hit ? "b faint" : "b"}>
          CR3
        </text>
        <text x={0} y={74} className={hit ? "mono xs faint" : "mono xs quiet"}>
          {root}
        </text>
        {levels.map((level, at) => (
          <g
            key={level.level}
            className="walk-level"
            {...keys.option(at)}
            aria-label={levelSentence(level)}
            onPointerEnter={(event) =>
              show(event.currentTarget, entryTip(level))
            }
            onPointerLeave={hide}
          >
            <TableColumn
              level={level}
              x={layout.columns[at] ?? 0}
              layout={layout}
              machine={machine}
              target={
                level.leaf ? translation.frame : (levels[at + 1]?.table ?? "")
              }
              isNew={level.leaf && translation.outcome === "fault"}
              ends={at === 0 || at === (skip?.count ?? 0)}
              outlined={picture.pinned && picture.selected === at}
            />
          </g>
        ))}
        {translation.outcome === "fault" ? <FirstTouch /> : null}
        <PageColumn page={page} layout={layout} />
        <EarlyEnd
          translation={translation}
          machine={machine}
          x={layout.pageX + layout.pageWidth + 14}
        />
      </svg>
      {tip}
    </div>
  );
}

/** What happened before the walk, in the corner that no banner reaches. */
function FirstTouch() {
  // Room for its 21 characters, in a wider font too.
  const x = WALK_WIDTH - 138;
  return (
    <>
      <GlyphMark outcome="fault" x={x - 11} y={15} size={11} />
      <text x={x} y={19} className="xs fault b">
        first touch: the OS
      </text>
      <text x={x} y={33} className="xs fault">
        mapped the page first
      </text>
    </>
  );
}

/** Where a large page ends the walk early, the picture says which table is not there. */
function EarlyEnd({
  translation,
  machine,
  x,
}: {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  readonly x: number;
}) {
  const missing = machine.levels - translation.levels.length;
  const leaf = translation.levels.at(-1);
  if (missing < 1 || !leaf || WALK_WIDTH - x < 60) return null;
  return (
    <>
      <text x={x} y={178} className="xs quiet b">
        {missing === 1 ? "one table less" : `${missing} tables less`}
      </text>
      <text x={x} y={193} className="xs quiet">
        {leaf.table_name} entry
      </text>
      <text x={x} y={208} className="xs quiet">
        maps {translation.page_size}
      </text>
    </>
  );
}

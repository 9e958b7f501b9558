/** The one-dimensional walk from left to right: CR3, one column per table, the page at the end. */
import { Suspense, lazy, useEffect, useRef } from "react";
import type { Kind } from "../../engine/generated/Kind";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import type { Refusal } from "../../model/walk/refused";
import type { NativeStep } from "../../model/walk/steps";
import { sizeWords } from "../../model/shared/pageSizes";
import { hitOf, newEntries, pageEnd, skipOf } from "../../model/walk/tables";
import { STRIP, WALK_WIDTH, walkLayout } from "../../model/walk/layout";
import type { WalkLayout } from "../../model/walk/layout";
import { wordsOf } from "../../model/words/words";
import { GlyphMark } from "../shared/Glyph";
import { placesOf } from "../shared/terms/places";
import { useSize } from "../shared/useSize";
import { HashedLines } from "./lazyLines";
import { levelSentence } from "./levelSentence";
import { PageColumn } from "./PageColumn";
import { SkipBanner } from "./SkipBanner";
import { TableColumn } from "./TableColumn";
import { useLevelKeys } from "./useLevelKeys";
import type { NativeChoice } from "./useNativeWalk";
import { reachedOf } from "./useNativeWalk";
import { WalkArrows } from "./WalkArrows";

/** Tooltips are not needed on opening. */
const WordTips = lazy(() =>
  import("./WordTips").then((module) => ({ default: module.WordTips })),
);

export interface WalkColumnsProps {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  readonly steps: readonly NativeStep[];
  readonly choice: NativeChoice;
  /** Why the last entry refused the access; `null` if the walk found the page. */
  readonly refusal?: Refusal | null;
  /** The kind of the access. */
  readonly kind: Kind;
  /** The physical address of the root table: CR3. */
  readonly root: string;
  /** By level: whether software changed the entry around this access. */
  readonly changed?: readonly boolean[];
}

export function WalkColumns({
  translation,
  machine,
  steps,
  choice,
  refusal = null,
  kind,
  root,
  changed = [],
}: WalkColumnsProps) {
  const { levels, hashed } = translation;
  const rank = machine.page_sizes.indexOf(translation.page_size);
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useSize(frame, { width: WALK_WIDTH, height: 0 });
  const layout = walkLayout(
    levels.length,
    machine.levels,
    Math.max(rank, 0),
    width,
    new Set(hashed?.lines.map(({ way }) => way)).size,
  );
  const isHashed = layout.lines !== null;
  useEffect(() => {
    // If the picture must scroll, it starts at the end of the walk, which matters most; or at the lines of a hashed one.
    if (frame.current && layout.compact)
      frame.current.scrollLeft = isHashed ? 0 : frame.current.scrollWidth;
  }, [translation, layout.width, layout.compact, isHashed]);
  const { at: step, selected } = choice;
  const stepX = layout.columns[selected] ?? 0;
  useEffect(() => {
    // A step may lie outside a narrow picture.
    if (frame.current && step !== null)
      frame.current.scrollLeft = stepX - layout.columnWidth;
  }, [step, stepX, layout.columnWidth]);
  const skip = skipOf(translation, machine);
  const hit = hitOf(translation, machine);
  const keys = useLevelKeys(choice, levels.length, "Tables of the walk");
  const page = refusal ? null : pageEnd(translation);
  const reached = reachedOf(steps, step, levels.length);
  const firstNew = refusal
    ? levels.length
    : levels.length - newEntries(translation, kind);
  return (
    <div className="walk-picture" ref={frame} {...keys.list}>
      <svg
        className="walk-svg"
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        style={{ minWidth: layout.compact ? layout.width : undefined }}
        role="presentation"
      >
        <g aria-hidden="true">
          <WalkArrows
            translation={translation}
            layout={layout}
            skipped={skip?.count ?? 0}
            hit={hit !== null}
            reached={reached.tables}
            isRefused={refusal !== null}
          />
          <SkipBanner
            translation={translation}
            layout={layout}
            skip={skip}
            hit={hit}
          />
          {hashed && layout.lines ? (
            <Suspense>
              <g className={reached.lines ? undefined : "walk-to-come"}>
                <HashedLines
                  {...layout.lines}
                  hashed={hashed}
                  level={levels[0]}
                  machine={machine}
                  head={74}
                  top={STRIP.top}
                  to={{ x: (layout.columns[0] ?? 0) - 3, y: 54 }}
                />
              </g>
            </Suspense>
          ) : null}
          <Root
            name={wordsOf(machine).root}
            address={root}
            layout={layout}
            used={hit === null}
            covered={hit !== null || skip !== null}
          />
          {levels.map((level, at) => (
            <g
              key={level.level}
              className={at < reached.tables ? undefined : "walk-to-come"}
            >
              <TableColumn
                level={level}
                x={layout.columns[at] ?? 0}
                layout={layout}
                machine={machine}
                target={
                  level.leaf ? translation.frame : (levels[at + 1]?.table ?? "")
                }
                isNew={at >= firstNew}
                changed={changed[at] ?? false}
                ends={at === 0 || at === (skip?.count ?? 0)}
                refused={
                  refusal && at === levels.length - 1
                    ? refusal.field
                    : undefined
                }
                outlined={choice.pinned && selected === at}
              />
            </g>
          ))}
          {translation.outcome === "fault" && !refusal ? (
            <FirstTouch layout={layout} />
          ) : null}
          {page ? (
            <g className={reached.page ? undefined : "walk-to-come"}>
              <PageColumn page={page} layout={layout} />
              <EarlyEnd
                translation={translation}
                machine={machine}
                layout={layout}
              />
            </g>
          ) : null}
          {refusal && reached.tables === levels.length ? (
            <NotReached refusal={refusal} layout={layout} />
          ) : null}
        </g>
        {levels.map((level, at) => (
          <rect
            key={level.level}
            className="walk-level"
            data-level={level.level}
            x={(layout.columns[at] ?? 0) - 4}
            y={44}
            width={layout.columnWidth + 8}
            height={layout.height - 48}
            rx={4}
            {...keys.option(at)}
            aria-label={
              at < reached.tables
                ? levelSentence(level, machine)
                : `${level.table_name}, not reached yet`
            }
          />
        ))}
        <Suspense>
          <WordTips
            // A tip names entries that are still to come.
            levels={levels.slice(0, reached.tables)}
            machine={machine}
            layout={layout}
            onPick={choice.onPick}
            onHover={choice.onHover}
          />
        </Suspense>
      </svg>
    </div>
  );
}

interface RootProps {
  /** The name of the register: `CR3`. */
  readonly name: string;
  readonly address: string;
  readonly layout: WalkLayout;
  readonly used: boolean;
  /** Whether something is drawn above the root table. */
  readonly covered: boolean;
}

/**
 * The register next to the root table. A compact picture has it above, or omits it if a walk cache is there.
 */
function Root({ name, address, layout, used, covered }: RootProps) {
  if (layout.compact)
    return covered ? null : (
      <text
        x={layout.lines?.x ?? layout.columns[0]}
        y={19}
        className="mono xs quiet"
      >
        <tspan className="b">{name}</tspan> {address}
      </text>
    );
  return (
    <>
      <text x={0} y={58} className={used ? "b" : "b faint"}>
        {name}
      </text>
      <text x={0} y={74} className={used ? "mono xs quiet" : "mono xs faint"}>
        {address}
      </text>
    </>
  );
}

/** Says that the OS mapped the page first, in the corner that no banner reaches. */
function FirstTouch({ layout }: { readonly layout: WalkLayout }) {
  // The text has 19 characters, also in a wider font. Next to the banner's arrow there is less space.
  const { compact, width } = layout;
  const x = width - (compact ? 116 : 130);
  return (
    <g {...placesOf("touch")}>
      <rect
        className="lit-frame"
        x={x - 22}
        y={4}
        width={width - x + 22}
        height={34}
        rx={4}
      />
      {compact ? null : (
        <GlyphMark outcome="fault" x={x - 11} y={15} size={11} />
      )}
      <text x={x} y={19} className="xs fault b">
        first touch: the OS
      </text>
      <text x={x} y={33} className="xs fault">
        mapped it first
      </text>
    </g>
  );
}

/** What a walk that ended with an exception did not reach, in place of the page. */
function NotReached({
  refusal,
  layout,
}: {
  readonly refusal: Refusal;
  readonly layout: WalkLayout;
}) {
  const { pageX: x, lit } = layout;
  return (
    <>
      <GlyphMark outcome="exception" x={x - 4} y={lit + 15} size={13} />
      <text x={x + 10} y={lit + 11} className="fault b">
        exception
      </text>
      <text x={x + 10} y={lit + 27} className="xs quiet">
        not reached:
      </text>
      <text x={x + 10} y={lit + 41} className="xs quiet">
        {refusal.rest}
      </text>
    </>
  );
}

/** If a huge page ends the walk early, the picture says which tables are absent. */
function EarlyEnd({
  translation,
  machine,
  layout,
}: {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  readonly layout: WalkLayout;
}) {
  const x = layout.pageX + layout.pageWidth + 14;
  const missing = machine.levels - translation.levels.length;
  const leaf = translation.levels.at(-1);
  if (missing < 1 || !leaf || layout.width - x < 96) return null;
  return (
    <>
      <text x={x} y={layout.lit + 13} className="xs quiet b">
        {missing === 1 ? "one table less" : `${missing} tables less`}
      </text>
      <text x={x} y={layout.lit + 28} className="xs quiet">
        {wordsOf(machine).leaf(leaf.table_name, leaf.level === 1)}
      </text>
      <text x={x} y={layout.lit + 43} className="xs quiet">
        maps {sizeWords(translation.page_size)}
      </text>
    </>
  );
}

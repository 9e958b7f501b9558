/** Tests of the positions of the marks in pictures, and of their number. */
import { counted } from "../../src/model/shared/format";
import type { ReactElement } from "react";
import { expect, test } from "vitest";
import type { NestedCellView } from "../../src/engine/generated/NestedCellView";
import type { TranslationView } from "../../src/engine/generated/TranslationView";
import { AccessBand } from "../../src/views/replay/AccessBand";
import { TlbPanel } from "../../src/views/tlb/TlbPanel";
import { NestedPanels } from "../../src/views/walk/NestedPanels";
import { WalkPanel } from "../../src/views/walk/WalkPanel";
import * as accesses from "./accesses";
import type { Scene } from "./accesses";
import { pictureOf } from "./describe";
import { centre, marksOf, overlap, within } from "./marks";
import type { Mark } from "./marks";
import * as nested from "./nestedFixtures";
import { problemsOf } from "./problems";

const isScene = (value: unknown): value is Scene =>
  typeof value === "object" && value !== null && "columns" in value;
const scenes = (of: object) =>
  Object.entries(of).filter((entry): entry is [string, Scene] =>
    isScene(entry[1]),
  );
const NATIVE = scenes(accesses);
const NESTED = scenes(nested);

const translationOf = ({ step }: Scene): TranslationView => {
  const [first] = step.translations;
  if (!first) throw new Error("no translation");
  return first;
};

function marksIn(picture: ReactElement, selector: string): Mark[] {
  return [...pictureOf(picture).querySelectorAll(selector)].flatMap(marksOf);
}

const having = (marks: readonly Mark[], name: string) =>
  marks.filter(({ element }) => element.classList.contains(name));
const textsIn = (marks: readonly Mark[], box: Mark) =>
  marks
    .filter(({ kind, text }) => kind === "text" && text !== "")
    .filter((mark) => within(spot(mark), box))
    .map(({ text }) => text);
const spot = (mark: Mark) => {
  const [x, y] = centre(mark);
  return { left: x, right: x, top: y, bottom: y };
};
const ignore = () => undefined;
const grid = (scene: Scene, phone = false) => (
  <NestedPanels
    {...scene}
    phone={phone}
    side="walk"
    onSide={ignore}
    tlb={<p>TLB</p>}
  />
);

test.each(NATIVE)("no_picture_of_%s_is_wrong", (_, scene) => {
  for (const picture of [
    <AccessBand key="0" {...scene} />,
    <AccessBand key="1" {...scene} phone />,
    <WalkPanel key="2" {...scene} />,
    <WalkPanel key="3" {...scene} low />,
    <WalkPanel key="4" {...scene} phone />,
  ])
    expect(problemsOf(pictureOf(picture))).toEqual([]);
});

test.each(
  [
    accesses.pdpteHit,
    accesses.fiveLevel,
    accesses.zenWalk,
    accesses.blackboard,
  ].flatMap((scene) =>
    scene.machine.structures.map(
      ({ name }, at) => [scene.machine.name, name, scene, at] as const,
    ),
  ),
)("no_picture_of_%s_with_its_%s_is_wrong", (_, __, scene, pinned) => {
  for (const phone of [false, true]) {
    const picture = <TlbPanel {...scene} pinned={pinned} phone={phone} />;
    expect(problemsOf(pictureOf(picture))).toEqual([]);
  }
});

test.each(NESTED)("no_picture_of_%s_is_wrong", (_, scene) => {
  for (const phone of [false, true])
    expect(problemsOf(pictureOf(grid(scene, phone)))).toEqual([]);
});

test.each(NATIVE)("the_bits_of_%s_are_its_address", (_, scene) => {
  const { address, levels, page_shift } = translationOf(scene);
  const marks = marksIn(<AccessBand {...scene} />, ".access-bits");
  const boxes = marks.filter(
    ({ element, kind }) =>
      kind === "box" && element.parentElement?.matches(".access-field"),
  );
  expect(boxes).toHaveLength(levels.length + 1);
  const fields = boxes.map((box) => textsIn(marks, box).join(""));
  expect(fields.map((bits) => bits.length)).toEqual([
    ...levels.map(({ bits }) => bits),
    page_shift,
  ]);
  const low = BigInt.asUintN(fields.join("").length, BigInt(address));
  expect(BigInt(`0b${fields.join("")}`)).toBe(low);
  boxes.slice(1).forEach((box, at) => {
    expect(box.left).toBeGreaterThan(boxes[at]?.right ?? NaN);
  });
});

test.each(NATIVE)("the_tables_of_%s_stand_from_left_to_right", (_, scene) => {
  const { levels, frame } = translationOf(scene);
  const marks = marksIn(<WalkPanel {...scene} />, ".walk-svg");
  const columns = having(marks, "walk-level");
  expect(
    columns.map(({ element }) => element.getAttribute("data-level")),
  ).toEqual(levels.map(({ level }) => String(level)));
  columns.forEach((column, at) => {
    const level = levels[at];
    const next = levels[at + 1]?.table ?? frame;
    const texts = textsIn(marks, column);
    const lit = having(marks, "walk-lit").filter((mark) =>
      within(mark, column),
    );
    for (const text of [
      level?.table_name,
      level?.table,
      String(level?.index),
      level?.entry_address,
    ])
      expect(texts).toContain(text);
    expect(lit).toHaveLength(level?.state === "read" ? 1 : 0);
    for (const row of lit)
      expect(textsIn(marks, row).join(" ")).toMatch(
        new RegExp(`^${level?.index} .*${next}$`),
      );
    const served = having(marks, "walk-served").filter((mark) =>
      within(mark, column),
    );
    expect(
      served.flatMap((mark) =>
        textsIn(marks, mark).map((text) => text.split(" · ")[0]),
      ),
    ).toEqual(level?.served_by ? [level.served_by] : []);
    // Two entries before the one of the walk, and two after it.
    const rows = having(marks, "walk-row").filter((mark) =>
      within(mark, column),
    );
    expect(rows.map((row) => textsIn(marks, row)[0])).toEqual(
      level?.neighbours.map(({ index }) => String(index)),
    );
    rows.forEach((row, i) => {
      const used = having(marks, "walk-used").filter((mark) =>
        within(mark, row),
      );
      const isUsed = level?.neighbours[i]?.value !== "0x0";
      expect(used).toHaveLength(isUsed ? 1 : 0);
      if (isUsed) expect(textsIn(marks, row)).not.toContain("empty");
    });
  });
});

test.each(NATIVE)("the_arrows_of_%s_lead_from_table_to_table", (_, scene) => {
  const { levels, refs } = translationOf(scene);
  const marks = marksIn(<WalkPanel {...scene} />, ".walk-svg");
  const columns = having(marks, "walk-level");
  const arrows = having(marks, "walk-arrow");
  const skipped = levels.length - refs;
  const walked = refs > 0;
  // There is an arrow for each read and one to the first read. A walk cache adds one from the register.
  expect(arrows).toHaveLength(walked ? refs + (skipped > 0 ? 2 : 1) : 1);
  expect(having(marks, "walk-not-taken")).toHaveLength(
    walked ? Math.max(skipped - 1, 0) : levels.length,
  );
  const ends = [...arrows, ...having(marks, "walk-not-taken")];
  for (const { points } of ends.filter(
    ({ points }) => points.length === 2 && points[0]?.[1] !== points[1]?.[1],
  )) {
    const [from, to] = points;
    // From the right side of a column to the left side of the next one, or of the page.
    const source = columns.findIndex(
      ({ right }) => Math.abs(right - 4 - (from?.[0] ?? NaN)) < 1,
    );
    const goal =
      columns[source + 1]?.left ?? (columns[source]?.right ?? NaN) + 20;
    expect(source).toBeGreaterThanOrEqual(0);
    expect(Math.abs((to?.[0] ?? NaN) - goal)).toBeLessThan(8);
  }
});

/** Page numbers and states of the cells of an array, in the order of the rows. */
test.each([
  ["pdeHit", accesses.pdeHit, 2],
  ["pdeHit", accesses.pdeHit, 0],
  ["pdpteHit", accesses.pdpteHit, 7],
  ["zenWalk", accesses.zenWalk, 1],
  ["blackboard", accesses.blackboard, 0],
] as const)("the_cells_of_%s_are_the_slots_of_array_%#", (_, scene, at) => {
  const view = scene.machine.structures[at];
  const content = scene.columns[at];
  if (!view || !content) throw new Error("no such array");
  const label =
    view.role === "psc" ? /^(PDE|PDPTE|PML4E)/ : new RegExp(`^${view.name},`);
  const picture = pictureOf(<TlbPanel {...scene} pinned={at} />);
  const found = [...picture.querySelectorAll("[role=grid]")].find((each) =>
    label.test(each.getAttribute("aria-label") ?? ""),
  );
  const marks = [...(found?.querySelectorAll("svg") ?? [])].flatMap(marksOf);
  const slots = having(marks, "tlb-slot");
  expect(slots).toHaveLength(view.sets * view.ways);
  for (const slot of slots) {
    const name = slot.element.getAttribute("aria-label") ?? "";
    const [, set, way] = (/^set (\d+) way (\d+), /.exec(name) ?? []).map(
      Number,
    );
    const index = (set ?? NaN) * view.ways + (way ?? NaN);
    const key = content.keyShift[index] === 0 ? null : content.keys[index];
    expect(name).toBe(
      `set ${set} way ${way}, ${key === null ? "empty" : `page 0x${key?.toString(16)}`}`,
    );
    const cells = having(marks, "tlb-cell").filter((cell) =>
      overlap(cell, slot, 1),
    );
    expect(cells.map((cell) => within(cell, slot, 0.1))).toEqual([true]);
    expect(cells[0]?.element.classList.contains("tlb-cell-empty")).toBe(
      key === null,
    );
    const isNext = content.next[set ?? NaN] === way;
    const corners = having(marks, "tlb-corner").filter((mark) =>
      within(mark, slot),
    );
    expect(corners).toHaveLength(isNext ? 1 : 0);
    const texts = textsIn(marks, slot);
    if (key === null) expect(texts).toEqual([]);
    else if (view.role !== "psc") {
      // Only a tall cell says how often its entry was hit.
      expect(texts.slice(1)).toEqual(
        slot.bottom - slot.top < 40
          ? []
          : [counted(content.hits[index] ?? NaN, "hit")],
      );
      expect(key?.toString(16)).toContain(texts[0]?.replace(/^(…|0x)/, ""));
      expect(
        key?.toString(16).endsWith(texts[0]?.replace(/^(…|0x)/, "") ?? "-"),
      ).toBe(true);
    }
  }
});

const cellsOf = (scene: Scene): NestedCellView[] =>
  translationOf(scene).nested?.rows.flatMap(({ host, guest }) =>
    guest ? [...host, guest] : host,
  ) ?? [];

test.each(NESTED)("the_cells_of_%s_are_its_references", (_, scene) => {
  const cells = cellsOf(scene);
  const marks = marksIn(grid(scene), ".nested-svg");
  const options = having(marks, "nested-hit");
  expect(options).toHaveLength(cells.length);
  expect(having(marks, "nested-cell")).toHaveLength(cells.length);
  const columns = new Map<string, number>();
  options.forEach((option, at) => {
    const cell = cells[at];
    if (!cell) throw new Error("no such cell");
    const { n, dimension, entry, served_by, cycles, order, state } = cell;
    const name = option.element.getAttribute("aria-label") ?? "";
    const what =
      dimension === "guest"
        ? `${entry}, the guest's own entry ${cell.index}`
        : `${entry} for the ${cell.for === "data" ? "data page" : `${cell.for} table`}`;
    expect(name.startsWith(`Reference ${n}: ${what}`)).toBe(true);
    expect(
      name.endsWith(
        state === "read"
          ? `at ${cell.address}, read from ${served_by} in ${cycles} cycles, number ${order} of this walk`
          : " hit",
      ),
    ).toBe(true);
    const [drawn, ...others] = having(marks, "nested-cell").filter((mark) =>
      within(mark, option),
    );
    expect(others).toEqual([]);
    const rank =
      scene.machine.memory.findIndex(([memory]) => memory === served_by) + 1;
    const { classList } = drawn?.element ?? option.element;
    expect(
      classList.contains(
        state === "read" ? `walk-ref${rank}` : "nested-skipped",
      ),
    ).toBe(true);
    const texts = drawn ? textsIn(marks, drawn) : [];
    expect(texts).toContain(String(n));
    if (state === "read")
      expect(texts).toEqual([String(n), served_by, `${cycles} cy`]);
    // One column a level, the guest's right of the host's.
    const column = dimension === "guest" ? "guest" : entry;
    const left = columns.get(column) ?? option.left;
    expect(option.left).toBeCloseTo(left);
    columns.set(column, left);
  });
  const lefts = [...columns]
    .sort(([, a], [, b]) => a - b)
    .map(([column]) => column);
  expect(lefts).toEqual(
    [...lefts].sort(
      (a, b) =>
        Number(a === "guest") - Number(b === "guest") || b.localeCompare(a),
    ),
  );
  for (const line of [
    ...having(marks, "nested-arrow"),
    ...having(marks, "nested-down"),
  ])
    for (const cell of having(marks, "nested-cell"))
      expect(overlap(line, cell, 0.5)).toBe(false);
});

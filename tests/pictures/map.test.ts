/** Tests of the canvas of a large array, as a list of its rectangles. */
import { expect, test } from "vitest";
import { arrayLayout } from "../../src/model/tlb/array";
import { eventIn } from "../../src/model/tlb/event";
import { drawMap } from "../../src/views/tlb/drawMap";
import type { MapContent } from "../../src/views/tlb/drawMap";
import { pdeHit, zenWalk } from "./accesses";
import type { Scene } from "./accesses";

interface Mark {
  readonly ink: string;
  readonly hollow: boolean;
  readonly x: number;
  readonly y: number;
}

/** Returns a canvas context that records its rectangles. */
function recorder(width: number, height: number) {
  const marks: Mark[] = [];
  const pen = {
    canvas: { width, height },
    fillStyle: "",
    strokeStyle: "",
    globalAlpha: 1,
    fillRect: (x: number, y: number) =>
      marks.push({ ink: pen.fillStyle, hollow: false, x, y }),
    strokeRect: (x: number, y: number) =>
      marks.push({ ink: pen.strokeStyle, hollow: true, x, y }),
  };
  return { pen, marks };
}

function drawn(
  { machine, step, columns }: Scene,
  structure: number,
  shown: MapContent["shown"] = "all",
): Mark[] {
  const view = machine.structures[structure];
  const content = columns[structure];
  const [translation] = step.translations;
  if (!view || !content || !translation) throw new Error("no such structure");
  const { pen, marks } = recorder(1280, 120);
  // The recorder has the few members that the drawing uses.
  drawMap(pen as unknown as CanvasRenderingContext2D, {
    view,
    content,
    layout: arrayLayout(view),
    event: eventIn(translation, machine, structure, "load"),
    shown,
    colours: (token) => token,
  });
  return marks;
}

const used = (scene: Scene, structure: number) =>
  scene.columns[structure]?.keyShift.filter((shift) => shift !== 0).length;

test("every_entry_is_drawn_once_over_the_ground_and_the_new_one_again_in_its_colour", () => {
  const [ground, ...marks] = drawn(pdeHit, 5);
  expect(ground?.ink).toBe("--sunken");
  expect(marks.filter(({ ink }) => ink === "--text-3")).toHaveLength(
    used(pdeHit, 5) ?? 0,
  );
  expect(marks.filter(({ ink }) => ink === "--walk")).toEqual([
    { ink: "--walk", hollow: false, x: 480, y: 30 },
  ]);
});

test("a_filter_leaves_one_page_size", () => {
  const marks = drawn(pdeHit, 5, 21).filter(({ ink }) => ink === "--text-3");
  expect(marks).toHaveLength(1);
});

test("table_entries_are_hollow", () => {
  const hollow = drawn(zenWalk, 3).filter((mark) => mark.hollow);
  expect(hollow.map(({ ink }) => ink)).toEqual(["--text-3", "--walk"]);
});

import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { cropFor } from "../../../src/model/timeline/scale";
import { bands } from "../../../src/model/timeline/bands";
import { timelineLayout } from "../../../src/model/timeline/layout";
import { densityLimits } from "../../../src/model/timeline/scale";
import { Axes } from "../../../src/views/timeline/Axes";
import { Bars } from "../../../src/views/timeline/Bars";
import { drawHeat } from "../../../src/views/timeline/drawHeat";
import type { Brush } from "../../../src/views/timeline/drawHeat";
import { TimelinePanel } from "../../../src/views/timeline/TimelinePanel";
import { describeChange, pictureOf } from "../../pictures/describe";
import { expectDrawing, expectPicture } from "../../pictures/expectPicture";
import { problemsOf } from "../../pictures/problems";
import {
  barsOf,
  endedTimeline,
  smallTimeline,
  timelineData,
} from "../../pictures/timelineData";

const nothing = () => undefined;
const callbacks = { onSeek: nothing, onBrush: nothing, onReset: nothing };

test("the_picture_of_a_run", async () => {
  const timeline = timelineData({ bins: 40, rows: 53 });
  const layout = timelineLayout(700, 226);
  const top = cropFor(timeline);
  const picture = (
    <svg xmlns="http://www.w3.org/2000/svg" width="700" height="226">
      <Bars timeline={timeline} layout={layout} top={top} />
      <Axes layout={layout} span={timeline.view} top={top} compact={false} />
    </svg>
  );
  await expectDrawing(picture, "svg", "__snapshots__/bars.svg");
});

const panel = (
  <TimelinePanel
    timeline={smallTimeline()}
    nAccesses={400}
    cursor={150}
    width={600}
    {...callbacks}
  />
);

test("the_panel_with_its_header_labels_and_cursor", async () => {
  await expectPicture(panel, "__snapshots__/panel.txt");
});

test("the_panel_of_a_phone_has_less_to_read", () => {
  const phone = (
    <TimelinePanel
      timeline={smallTimeline()}
      nAccesses={400}
      cursor={150}
      compact
      {...callbacks}
    />
  );
  expect(problemsOf(pictureOf(phone))).toEqual([]);
  expect(describeChange(panel, phone)).toMatchInlineSnapshot(`
    "- region "Outcome over time"
    - "(--fault)(hatch-fault)page fault|(--walk)(hatch-walk)walk|(--hit2)(hatch-l2-hit)L2 TLB hit|(--hit1)(--hit1-soft)the rest are L1 hits"
    - button "accesses per cell (--heat1 --heat2 --heat3 --heat4) 1 … 60"
    - drawing 600×226
    - access | 0 | 100 | 200 | 300 | 400
    - canvas at left:116px;top:88px;width:476px;height:118px
    - timeline-regions at top:88px;width:108px
    - timeline-region "stack{recorded}|4.0 KiB" at top:11.5px
    - timeline-region "heap{partly recorded}|40.0 KiB" at top:72px
    - timeline-cursor "(#sdg)150" at transform:translateX(294.5px);height:210px
    - slider "Access, over the outcomes of the trace" 150 of 0 to 399 “access 150” focusable at left:116px;width:476px;height:210px
    + region "Outcome over time" compact
    + "(--fault)page fault|(--walk)walk|(--hit2)L2 TLB hit"
    + drawing 358×156
    + 0 | 100 | 200 | 300 | 400
    + canvas at left:38px;top:61px;width:312px;height:75px
    + timeline-region-names at top:61px;left:38px
    + timeline-region-name "stack" at top:7.2px
    + timeline-region-name "heap" at top:46.2px
    + timeline-cursor "(#sdg)" at transform:translateX(155px);height:140px
    + slider "Access, over the outcomes of the trace" 150 of 0 to 399 “access 150” focusable at left:38px;width:312px;height:140px"
  `);
});

test("before_the_first_run_frame_and_axes_stand_with_one_sentence", () => {
  const text = renderToStaticMarkup(
    <TimelinePanel
      timeline={null}
      nAccesses={400}
      cursor={0}
      empty="Nothing has been run yet."
      {...callbacks}
    />,
  );
  expect(text).toContain("Nothing has been run yet.");
  expect(text).toContain("timeline-axes");
  expect(text).not.toContain('role="slider"');
});

test.each([true, false])(
  "a_timeline_that_is_being_computed_is_marked_as_busy_%s",
  (isLoading) => {
    const text = renderToStaticMarkup(
      <TimelinePanel
        timeline={null}
        nAccesses={400}
        cursor={0}
        isLoading={isLoading}
        {...callbacks}
      />,
    );
    expect(text).toContain(`aria-busy="${isLoading}"`);
  },
);

test("what_is_not_simulated_yet_is_covered_and_said", () => {
  const text = renderToStaticMarkup(
    <TimelinePanel
      timeline={smallTimeline()}
      nAccesses={400}
      cursor={0}
      readTo={100}
      {...callbacks}
    />,
  );
  expect(text).toContain("so far");
  expect(text).toContain("not simulated yet");
});

test("bars_that_are_cut_off_are_counted_in_the_header", () => {
  const usual = Array.from({ length: 99 }, () => 0.02);
  const timeline = barsOf([0.5, ...usual]);
  const text = renderToStaticMarkup(
    <TimelinePanel
      timeline={timeline}
      nAccesses={timeline.view.to}
      cursor={0}
      {...callbacks}
    />,
  );
  expect(text).toContain("1 taller bar");
});

/** Returns the drawn rectangles as `colour left,top width×height`. */
function drawn(timeline = smallTimeline()): string[] {
  const lines: string[] = [];
  const brush: Brush = {
    fillStyle: "",
    fillRect(x, y, width, height) {
      lines.push(
        `${typeof this.fillStyle === "string" ? this.fillStyle : "pattern"} ${x},${y} ${width}×${height}`,
      );
    },
  };
  drawHeat(brush, {
    timeline,
    rows: bands(timeline.view.regions, 53),
    limits: densityLimits(60),
    colours: (token) => token,
    width: 40,
    ratio: 1,
  });
  return lines;
}

test("the_heat_map_draws_grounds_then_densities_then_marks", () => {
  expect(drawn()).toMatchInlineSnapshot(`
    [
      "--heat0 0,0 40×10",
      "--heat0 0,13 40×40",
      "--heat1 20,13 10×10",
      "--heat1 0,23 10×10",
      "--heat2 20,23 10×10",
      "--heat3 0,0 10×10",
      "--heat3 0,43 10×10",
      "--heat3 20,43 10×10",
      "--heat4 10,13 10×10",
      "--heat4 10,33 10×10",
      "--walk 0,23 5×10",
      "--fault 0,23 9×10",
    ]
  `);
});

test("an_exception_has_a_mark_and_a_legend_of_its_own", () => {
  const more = drawn(endedTimeline()).filter((line) => !drawn().includes(line));
  expect(more).toEqual(["--heat1 20,43 10×10", "--fault 25,43 5×10"]);
  const ended = (
    <TimelinePanel
      timeline={endedTimeline()}
      nAccesses={400}
      cursor={150}
      width={600}
      {...callbacks}
    />
  );
  expect(problemsOf(pictureOf(ended))).toEqual([]);
  expect(describeChange(panel, ended)).toMatchInlineSnapshot(`
    "- "(--fault)(hatch-fault)page fault|(--walk)(hatch-walk)walk|(--hit2)(hatch-l2-hit)L2 TLB hit|(--hit1)(--hit1-soft)the rest are L1 hits"
    - rect(--hit1-soft)[path(hatch-fault) | path(hatch-walk) | path(hatch-l2-hit) | grid ×2]
    + "(--fault)(hatch-exception)exception|(--fault)(hatch-fault)page fault|(--walk)(hatch-walk)walk|(--hit2)(hatch-l2-hit)L2 TLB hit|(--hit1)(--hit1-soft)the rest are L1 hits"
    + rect(--hit1-soft)[path(hatch-exception) | path(hatch-fault) | path(hatch-walk) | path(hatch-l2-hit) | grid ×2]"
  `);
});

/** The marks of the first row, if this many of its 60 accesses in each cell have an outcome. */
function marksOf(
  column: "cellWalks" | "cellFaults" | "cellExceptions",
  n: number,
) {
  const timeline = smallTimeline();
  const none = new Uint32Array(timeline.density.length);
  const { bins } = timeline.view;
  const marked = none.map((_, at) => (at < bins ? n : 0));
  const lines = drawn({
    ...timeline,
    density: none.fill(60),
    cellWalks: new Uint32Array(none.length),
    cellFaults: new Uint32Array(none.length),
    cellExceptions: new Uint32Array(none.length),
    [column]: marked,
  });
  return lines
    .filter((line) => /walk|fault/.test(line))
    .slice(0, 2)
    .join(" | ");
}

test.each([
  ["cellWalks", 1, "--walk 0,0 5×10 | --walk 10,0 5×10"],
  ["cellWalks", 42, "--walk 0,0 7×10 | --walk 10,0 7×10"],
  ["cellWalks", 60, "--walk 0,0 10×10 | --walk 10,0 10×10"],
  ["cellWalks", 120, "--walk 0,0 10×10 | --walk 10,0 10×10"],
  ["cellFaults", 60, "--fault 0,0 9×10 | --fault 10,0 9×10"],
  ["cellExceptions", 1, "--fault 5,0 5×10 | --fault 15,0 5×10"],
  ["cellExceptions", 60, "--fault 0,0 10×10 | --fault 10,0 10×10"],
] as const)(
  "an_outcome_of_all_accesses_fills_their_cell_%s_%i",
  (column, n, expected) => expect(marksOf(column, n)).toBe(expected),
);

test("a_marked_cell_is_never_darker_than_the_lightest_step", () => {
  // The densest cell has a walk and a fault: without them it would be --heat4.
  expect(
    drawn().filter(
      (line) => line.startsWith("--heat4") && line.includes(" 0,"),
    ),
  ).toEqual([]);
});

import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import {
  OUTCOMES,
  outcomeColour,
  outcomeToken,
  outcomeWord,
} from "../../../src/model/shared/outcome";
import {
  AGE,
  HEAT,
  pageSizeToken,
  SERVED,
} from "../../../src/model/shared/theme";
import { Glyph, GlyphMark } from "../../../src/views/shared/Glyph";
import { Icon } from "../../../src/views/shared/Icon";
import { OutcomeLegend, Ramp } from "../../../src/views/shared/Legend";
import {
  hatch,
  PatternSheet,
  skipHatch,
} from "../../../src/views/shared/Patterns";
import { ProgressBar } from "../../../src/views/shared/Progress";
import { Figure, ModelNumber } from "../../../src/views/shared/Quantity";
import { expectDrawing, expectPicture } from "../../pictures/expectPicture";

const markup = renderToStaticMarkup;

test("the_legend_of_outcomes", async () => {
  await expectPicture(
    <OutcomeLegend outcomes={OUTCOMES} words={{ "l2-hit": "STLB hit" }} />,
    "__snapshots__/legend.txt",
  );
});

test("the_hatches_and_the_marks_of_outcomes", async () => {
  const drawing = (
    <svg>
      <PatternSheet />
      {OUTCOMES.map((outcome, at) => (
        <GlyphMark
          key={outcome}
          outcome={outcome}
          x={20 * at + 10}
          y={10}
          size={12}
        />
      ))}
    </svg>
  );
  await expectDrawing(drawing, "svg", "__snapshots__/outcomes.svg");
});

test("every_outcome_has_a_shape_a_hatch_and_a_word_of_its_own", () => {
  const shapes = OUTCOMES.map(
    (outcome) => / d="([^"]+)"/.exec(markup(<Glyph outcome={outcome} />))?.[1],
  );
  const sets = [
    shapes,
    OUTCOMES.map(hatch),
    OUTCOMES.map((each) => outcomeWord(each)),
  ];
  for (const set of sets) expect(new Set(set).size).toBe(OUTCOMES.length);
  // An exception has the colour of faults, and a shape and a hatch of its own.
  const colours = OUTCOMES.map((each) => outcomeColour(each));
  expect(new Set(colours).size).toBe(OUTCOMES.length - 1);
  expect(outcomeColour("exception")).toBe(outcomeColour("fault"));
});

test("every_hatch_is_on_the_sheet", () => {
  const sheet = markup(<PatternSheet />);
  const used = [
    ...OUTCOMES.slice(1).map(hatch),
    ...(["combined", "nested-tlb", "ept-pde", "ept-pdpte"] as const).map(
      skipHatch,
    ),
  ];
  for (const paint of used)
    expect(sheet).toContain(`id="${paint.slice("url(#".length, -1)}"`);
});

test("a_glyph_without_its_word_next_to_it_has_it_as_its_name", () => {
  expect(markup(<Glyph outcome="walk" named />)).toContain(
    'role="img" aria-label="walk"',
  );
  expect(markup(<Glyph outcome="walk" />)).toContain('aria-hidden="true"');
});

test("every_token_that_a_picture_reads_is_defined", async () => {
  const { readFileSync } = await import("node:fs");
  const tokens = readFileSync("src/app/tokens.css", "utf8");
  const grades = (["mark", "ink", "soft"] as const).flatMap((grade) =>
    OUTCOMES.map((outcome) => outcomeToken(outcome, grade)),
  );
  const read = [
    ...HEAT,
    ...AGE,
    ...SERVED,
    ...grades,
    ...[0, 1, 2].map(pageSizeToken),
  ];
  for (const token of read) expect(tokens).toContain(`${token}:`);
});

test("a_progress_of_unknown_length_has_no_value", () => {
  expect(markup(<ProgressBar label="Reading" done={5} />)).not.toContain(
    "aria-valuenow",
  );
  expect(markup(<ProgressBar label="Reading" done={5} total={20} />)).toContain(
    'aria-valuenow="25"',
  );
});

test("a_model_number_is_reachable_and_underlined_and_a_figure_has_a_unit", () => {
  const text = markup(
    <Figure
      label={<ModelNumber formula="a + b">cycles</ModelNumber>}
      value="0.46"
      unit="per access"
    />,
  );
  expect(text).toContain(
    '<button type="button" class="plain-button model-number">cycles</button>',
  );
  expect(text).toContain("per access");
});

test("icons_and_ramps_are_silent", () => {
  expect(markup(<Icon name="play" />)).toContain('aria-hidden="true"');
  expect(markup(<Ramp tokens={HEAT} />).match(/<rect/g)).toHaveLength(5);
});

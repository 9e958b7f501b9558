import { expect, test } from "vitest";
import { exampleOf, partnerOf } from "../../../src/model/code/examples";
import { PROGRAM_EXAMPLES } from "../../../src/model/code/programExamples";
import { whatToSee } from "../../../src/model/code/see";
import type { CodeExample } from "../../../src/model/code/scriptExamples";
import type { ProgramSetup } from "../../../src/model/code/code";
import { cpu } from "../../state/fakeData";

const SETUP: ProgramSetup = {
  machine: cpu("one", "One").machine,
  os: { default: "4K", regions: [], frames: "sequential" },
};
const HOME = { ...SETUP, name: "One" };

function example(id: string): CodeExample {
  const found = PROGRAM_EXAMPLES.find((each) => each.id === id);
  if (!found) throw new Error(`There is no example ${id}.`);
  return found;
}

/** An example with another value of a define. */
function changed(id: string, from: string, to: string): CodeExample {
  const { code, ...rest } = example(id);
  expect(code).toContain(from);
  return { ...rest, code: code.replace(from, to) };
}

const whyOf = (...programs: readonly CodeExample[]) =>
  whatToSee(
    programs.map((each) => ({ ...each, setup: SETUP })),
    HOME,
  )?.why;

test("sliders_keep_an_example_and_its_partner", () => {
  const rows = changed("c-rows", "ROWS 2048", "ROWS 256");
  expect(exampleOf(rows)?.id).toBe("c-rows");
  expect(whyOf(rows)).toBe("This was written for ROWS = 2,048.");
  const partner = partnerOf(rows);
  expect(partner).toMatchObject({ id: "c-columns" });
  expect(partner?.code).toContain("ROWS 256 //");
  expect(whyOf(rows, changed("c-columns", "ROWS 2048", "ROWS 256"))).toBe(
    "This was written for ROWS = 2,048.",
  );
});

test("a_slider_that_makes_the_difference_of_a_pair_stays", () => {
  const tiles = changed("c-tiles", "#define N 512", "#define N 256");
  const partner = partnerOf(tiles);
  expect(partner?.code).toContain("#define N 256");
  expect(partner?.code).toContain("TILE 512");
  // With the same values, the name says which one it is.
  expect(exampleOf(changed("c-tiles", "TILE 32", "TILE 16"))?.id).toBe(
    "c-tiles",
  );
  expect(exampleOf(example("c-untiled"))?.id).toBe("c-untiled");
});

test.each([
  [
    changed("c-rows", "i - j", "i + j"),
    "This was written for the example as it was.",
  ],
  [
    {
      ...example("c-rows"),
      build: { language: "c", level: "2", args: "" },
    } as const,
    "This was written for -O1 without arguments and without estimated fetches.",
  ],
  [example("c-rows"), undefined],
  // Another program under the name of an example.
  [{ ...example("c-rows"), code: "int main(void) { return 0; }" }, undefined],
])("a_text_says_what_it_was_written_for_%#", (program, why) => {
  expect(whyOf(program)).toBe(why);
});

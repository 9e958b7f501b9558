import { expect, test } from "vitest";
import { programRegions } from "../../../src/model/code/regions";
import type { CodeState } from "../../../src/model/code/code";

const region = (name: string, start: string) => ({
  name,
  start,
  end: `${start}000`,
});

/** Programs whose last runs have these regions. */
const code = (...runs: readonly (readonly object[] | undefined)[]) =>
  ({
    programs: runs.map((regions) => ({
      shown: regions && { trace: { regions } },
    })),
  }) as unknown as Pick<CodeState, "programs">;

test("the_regions_are_those_of_the_programs", () => {
  const [heap, stack, other] = [
    region("heap", "0x1"),
    region("stack", "0x2"),
    region("heap", "0x3"),
  ];
  expect(programRegions(undefined)).toEqual([]);
  expect(programRegions(code(undefined))).toEqual([]);
  expect(programRegions(code([heap, stack]))).toEqual([heap, stack]);
  expect(programRegions(code([heap, stack], [other, stack]))).toEqual([
    heap,
    stack,
    other,
  ]);
  expect(programRegions(code(undefined, [stack]))).toEqual([stack]);
});

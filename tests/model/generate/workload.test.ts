import { expect, test } from "vitest";
import type { ParamInfo } from "../../../src/engine/generated/ParamInfo";
import type { WorkloadInfo } from "../../../src/engine/generated/WorkloadInfo";
import {
  chosen,
  genCommand,
  problemAt,
  rangeText,
} from "../../../src/model/generate/workload";

const size: ParamInfo = {
  name: "bytes",
  about: "",
  type: "size",
  default: "64M",
  min: "1",
  max: "64T",
  unit: "bytes",
};

const info: WorkloadInfo = {
  id: "uniform",
  name: "Uniform",
  about: "",
  params: [size, { ...size, name: "seed", type: "count", default: "1" }],
};

test("only_what_differs_from_its_default_is_given", () => {
  expect(chosen(info, {}).params).toEqual({});
  expect(chosen(info, { bytes: "64M", seed: "" }).params).toEqual({});
  expect(chosen(info, { bytes: " 1G ", other: "1" })).toEqual({
    id: "uniform",
    params: { bytes: "1G" },
  });
});

test("the_command_makes_a_file_of_a_format_that_can_hold_it", () => {
  const choice = { id: "tlab", params: { threads: "4", heap: "1G" } };
  expect(genCommand(choice, true)).toBe(
    "pagewalk gen tlab --param threads=4 --param heap=1G --out tlab.csv",
  );
  expect(genCommand({ id: "zipf", params: {} }, false)).toBe(
    "pagewalk gen zipf --out zipf.lackey",
  );
});

test("a_problem_belongs_to_its_field", () => {
  const errors = [
    { code: "bad-config" as const, message: "too much", at: { field: "seed" } },
    { code: "bad-config" as const, message: "elsewhere" },
  ];
  expect(problemAt(errors, "seed")).toBe("too much");
  expect(problemAt(errors, "bytes")).toBeUndefined();
});

test("a_range_has_its_unit_and_large_counts_are_grouped", () => {
  expect(rangeText(size)).toBe("1 to 64T bytes");
  const count: ParamInfo = {
    name: "n",
    about: "",
    type: "count",
    default: "1",
    min: "0",
    max: "65536",
  };
  expect(rangeText(count)).toBe("0 to 65,536");
  expect(rangeText({ ...count, max: "9007199254740991" })).toBe("0 or more");
  const address = { ...size, type: "address" as const, max: "0x7ff" };
  expect(rangeText(address)).toBe("up to 0x7ff");
  expect(
    rangeText({ name: "w", about: "", type: "choice", default: "a" }),
  ).toBe("");
});

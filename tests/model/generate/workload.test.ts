import { expect, test } from "vitest";
import type { ParamInfo } from "../../../src/engine/generated/ParamInfo";
import type { WorkloadInfo } from "../../../src/engine/generated/WorkloadInfo";
import {
  chosen,
  fittingValues,
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

const placed: WorkloadInfo = {
  ...info,
  params: [
    size,
    { ...size, name: "accesses", type: "count", default: "1000000" },
    { ...size, name: "base", type: "address", default: "0x100000000000" },
  ],
};

test.each([
  [info, 14, ""],
  [placed, 48, ""],
  [placed, 45, ""],
  [placed, 44, "base=0x0"],
  [placed, 32, "base=0x0"],
  [placed, 26, "base=0x0,bytes=33554432"],
  [placed, 14, "base=0x0,bytes=8192,accesses=1000"],
  [placed, 8, "base=0x0,bytes=128,accesses=1000"],
])("values_that_fit_%#", (workload, va_bits, expected) => {
  const values = Object.entries(fittingValues(workload, { va_bits }));
  expect(values.map((pair) => pair.join("=")).join()).toBe(expected);
});

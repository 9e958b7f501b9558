import { expect, test } from "vitest";
import {
  programNumbers,
  programRatios,
  ratioText,
} from "../../../src/model/code/numbers";
import { exceptionsText } from "../../../src/model/code/exceptions";
import type { ProgramResult } from "../../../src/model/code/program";
import { cpu, machineView, report } from "../../state/fakeData";

const run = (n: number, walks: number, cycles: number) => {
  const whole = report(n);
  const load = { translations: n, l1_hits: n - walks, l2_hits: 0, walks };
  return {
    report: {
      ...whole,
      kinds: { ...whole.kinds, load },
      walks: { ...whole.walks, walks },
      cycles: { l2_hit: 0, l2_miss: cycles, walk: cycles, total: 2 * cycles },
    },
  };
};

const texts = (numbers: ReturnType<typeof programNumbers>) =>
  numbers.map(({ id, text, share }) => `${id} ${text} ${share}`.trim());

test("a_program_has_misses_walks_and_cycles", () => {
  expect(texts(programNumbers(run(4_194_304, 8192, 300_648)))).toEqual([
    "accesses 4,194,304",
    "misses 8,192 0.20 %",
    "walks 8,192 0.20 %",
    "translation-cycles 601,296",
    "per-access 0.14",
  ]);
});

test("two_programs_have_their_ratio", () => {
  const ratios = programRatios(run(1000, 10, 100), run(1000, 5120, 24_300));
  expect(texts(ratios)).toEqual([
    "accesses 1×",
    "misses 512×",
    "walks 512×",
    "translation-cycles 243×",
    "per-access 243×",
  ]);
});

test.each([
  [8192, 4_193_792, "512×"],
  [10, 11, "1.10×"],
  [10, 5, "1/2.00×"],
  [1000, 999, "1/1.00×"],
  [4, 50, "12.5×"],
  [4_193_792, 8192, "1/512×"],
  [0, 0, "1×"],
  [0, 5, "–"],
  [5, 0, "–"],
  [undefined, 5, "–"],
  [5, undefined, "–"],
])("%d to %d is %s", (first, second, text) =>
  expect(ratioText(first, second)).toBe(text),
);

/** A run of 4 accesses, of which `n` ended with an exception, with arrays from 0x1000 on. */
const ended = (n: number, bytes: readonly number[], bits: number) => {
  const whole = report(4);
  const exceptions = { ...whole.exceptions, general_protection: n };
  const trace = { ...whole.trace, translations: 4 - n };
  const { machine } = cpu("small", "Small");
  const os = { default: "4K", regions: [], frames: "sequential" as const };
  return {
    report: { ...whole, trace, exceptions },
    result: {
      accesses: 4,
      arrays: bytes.map((length) => ({
        name: "a",
        start: 4096,
        length,
        size: 1,
      })),
      log: [],
    },
    machine: { ...machineView({ machine, os }), name: "Small", va_bits: bits },
  };
};

test.each([
  [0, [9], 1, undefined],
  [
    4,
    [4096, 16384],
    14,
    "All 4 accesses ended with an exception: the data takes 20.0 KiB from 0x1000 on, and the address space of Small has 16.0 KiB (14 bits).",
  ],
  [
    1,
    [12288],
    14,
    "1 of 4 accesses ended with an exception: they have no translation and no cycles.",
  ],
  [
    1,
    [],
    14,
    "1 of 4 accesses ended with an exception: they have no translation and no cycles.",
  ],
])("exceptions_%#", (n, bytes, bits, expected) =>
  expect(exceptionsText(ended(n, bytes, bits))).toBe(expected),
);

test("a_program_in_C_has_more_bits_of_address_than_a_small_machine", () => {
  const run = ended(4, [], 14);
  const compiled = { accesses: 4 } as ProgramResult;
  expect(exceptionsText({ ...run, result: { ...run.result, compiled } })).toBe(
    "All 4 accesses ended with an exception: their addresses have more than the 14 bits of Small. Programs in C have the addresses of a Linux process.",
  );
});

test("faults_are_counted_among_the_walks", () => {
  const { report: own } = run(100, 50, 100);
  const faults = { ...own.faults, minor: 8, major: 1 };
  expect(texts(programNumbers({ report: { ...own, faults } }))[2]).toBe(
    "walks 50 50.0 %, 9 faults",
  );
});

test("a_run_without_a_translation_has_accesses_and_nothing_else", () => {
  expect(texts(programNumbers(ended(4, [], 14)))).toEqual([
    "accesses 4",
    "misses –",
    "walks –",
    "translation-cycles –",
    "per-access –",
  ]);
  expect(texts(programRatios(run(4, 1, 1), ended(4, [], 14)))).toEqual([
    "accesses 1×",
    "misses –",
    "walks –",
    "translation-cycles –",
    "per-access –",
  ]);
});

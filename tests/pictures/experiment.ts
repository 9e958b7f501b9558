/** A small experiment with every kind of content that a result can have. */
import type { Chart } from "../../src/engine/generated/Chart";
import type { ExperimentInfo } from "../../src/engine/generated/ExperimentInfo";
import type { ExperimentResult } from "../../src/engine/generated/ExperimentResult";
import type { ResultTable } from "../../src/engine/generated/ResultTable";

export const info: ExperimentInfo = {
  id: "byte-array",
  title: "Random bytes of an array",
  question: "How many misses does a read cost?",
  sources: [
    {
      id: "pages",
      title: "A. Author, “Pages”",
      url: "https://example.org/pages",
      date: "2016",
      machine: "Intel Core i7-4790K",
    },
  ],
  machine: "Haswell",
  policy: "4K or 2M",
  method: "Random loads.",
};

export const chart: Chart = {
  title: "Page walks",
  x: { label: "bytes of the array", scale: "log10" },
  y: { label: "walks per read", scale: "linear" },
  series: [
    {
      name: "4K simulated",
      kind: "simulated",
      pages: "4K",
      points: [
        [1e3, 0],
        [1e6, 0],
        [1e7, 0.5801],
        [1e8, 0.9583],
      ],
    },
    {
      name: "2M simulated",
      kind: "simulated",
      pages: "2M",
      points: [
        [1e3, 0],
        [1e8, 0],
      ],
    },
    {
      name: "measured, 4K",
      kind: "published",
      points: [[1e8, 1.017]],
      errors: [0.244],
    },
  ],
  marks: [{ x: 4194304, label: "STLB reach, 4K" }],
};

export const table: ResultTable = {
  title: "TLB misses of each read",
  cases: ["bytes", "pages"],
  rows: [
    {
      case: ["1,000", "4K"],
      quantity: "L1 dTLB misses",
      unit: "per read",
      simulated: 0,
      derived: {
        text: "1 − ways ÷ pages",
        value: 0,
        error: 0.001,
        verdict: "agrees",
      },
    },
    {
      case: ["1,000", "4K"],
      quantity: "page walks",
      unit: "per read",
      simulated: 0.9583,
      derived: {
        text: "1 − ways ÷ pages",
        value: 0.9581,
        error: 0.009581,
        verdict: "agrees",
        deviation: 0.0002,
      },
      published: {
        text: "1.017 ± 0.244",
        value: 1.017,
        error: 0.244,
        cited: { source: "pages", at: "table 2" },
        verdict: "agrees",
        deviation: -0.0577,
      },
    },
    {
      case: ["1,000", "2M"],
      quantity: "page walks",
      unit: "",
      simulated: 381.4697265625,
      published: {
        text: "falls",
        change: { from: 300, direction: "falls" },
        cited: { source: "pages", at: "table 3" },
        verdict: "differs",
        deviation: 0.2716,
      },
      hypothesis: "A real core overlaps them.",
    },
  ],
};

export const result: ExperimentResult = {
  ...info,
  answer: "One walk a read.",
  tables: [table],
  charts: [chart],
  differences: ["Counters count something else."],
  corrections: ["“82M” is a typing error."],
  parts: [],
};

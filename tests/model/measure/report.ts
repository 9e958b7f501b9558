/** A small report of a measurement. */
import type { ChaseFit } from "../../../src/engine/generated/ChaseFit";
import type { ChaseReport } from "../../../src/engine/generated/ChaseReport";
import type { ChaseSamples } from "../../../src/engine/generated/ChaseSamples";

export const FITS: readonly ChaseFit[] = [
  {
    cpu: "amd-zen4",
    name: "Zen 4",
    nested: true,
    agrees: true,
    factor: 1.25,
    cycles: [0, 7],
  },
  {
    cpu: "amd-zen4",
    name: "Zen 4",
    nested: false,
    agrees: true,
    factor: 1.5,
    cycles: [0, 9],
  },
];

export const SAMPLES: ChaseSamples = {
  place: "browser",
  page: "4K",
  stride: 1,
  adds: [0.25, 0.25, 0.25, 0.25],
  points: [64, 72, 128].map((pages) => ({
    pages,
    spread: [1, 1, 1, 1],
    dense: [1, 1, 1, 1],
  })),
};

export const REPORT: ChaseReport = {
  place: "browser",
  page: "4K",
  stride: 1,
  rounds: 4,
  clock: { ghz: 4, halves: [4, 4] },
  curve: [
    { pages: 64, ns: -0.01, halves: [0, 0], low: 0, high: 0.1 },
    { pages: 72, ns: 0, halves: [0, 0], low: 0, high: 0.2 },
    { pages: 128, ns: 1.75, halves: [1.75, 1.75], low: 1.75, high: 2 },
  ],
  levels: [
    {
      reach: [72, 72],
      half: [73, 76],
      ns: 1.75,
      ns_range: [1.74, 1.76],
      cycles: 7,
      cycles_range: [6.96, 7.04],
      is_flat: true,
    },
  ],
  simulated: [64, 128],
  fits: [...FITS],
  sentences: ["The first level reaches 72 pages of 4K."],
  limits: ["A hit of the first level costs nothing here."],
};

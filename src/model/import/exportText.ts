/** The export formats, and what each cannot hold. */
import type { ExportFormat } from "../../engine/generated/ExportFormat";
import { exportStem } from "./exportStem";

interface ExportText {
  readonly value: ExportFormat;
  readonly word: string;
  readonly ending: string;
  readonly about: string;
}

export const EXPORTS: readonly ExportText[] = [
  {
    value: "csv",
    word: "CSV",
    ending: "csv",
    about:
      "Keeps all accesses and operations; importing it gives the same trace. It cannot hold the memory map and measured values of samples.",
  },
  {
    value: "lackey",
    word: "valgrind lackey",
    ending: "lackey",
    about:
      "Keeps kinds, addresses and sizes. It cannot hold threads, processes, instruction pointers, prefetches, operations, and whether a trace is sampled or partial.",
  },
  {
    value: "din",
    word: "Dinero (din)",
    ending: "din",
    about:
      "Keeps kinds and addresses only: no sizes, threads, instruction pointers, prefetches or operations.",
  },
  {
    value: "champsim",
    word: "ChampSim",
    ending: "champsimtrace",
    about:
      "Keeps instructions with their loads and stores: no sizes, threads, prefetches or operations. A load or store without an instruction gets one.",
  },
];

/**
 * The file name of an export: `mine.lackey.xz` as CSV is `mine.csv`. A name without an extension gets one.
 */
export function exportName(name: string, format: ExportFormat): string {
  const ending = EXPORTS.find(({ value }) => value === format)?.ending ?? "txt";
  return `${exportStem(name)}.${ending}`;
}

/**
 * The file name of a trace in a sweep: its own name if it is a file's, otherwise the name of its CSV export.
 */
export function traceFile(name: string): string {
  return /\.[a-z]\w*$/i.test(name) ? name : exportName(name, "csv");
}

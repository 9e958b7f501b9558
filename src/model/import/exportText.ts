/** The formats that a trace is written in, and what each has no place for. */
import type { ExportFormat } from "../../engine/generated/ExportFormat";

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
      "Keeps all accesses and operations; an import of it gives the same trace. It has no place for the memory map and for what samples measured.",
  },
  {
    value: "lackey",
    word: "valgrind lackey",
    ending: "lackey",
    about:
      "Keeps kinds, addresses and sizes. It has no place for threads, processes, instruction pointers, prefetches and operations, nor for that a trace is a sample or a part.",
  },
  {
    value: "din",
    word: "Dinero (din)",
    ending: "din",
    about:
      "Keeps kinds and addresses only: no sizes, threads, instruction pointers, prefetches or operations.",
  },
];

/** `mine.lackey.xz` as CSV is `mine.csv`; a name without an ending gets one. */
export function exportName(name: string, format: ExportFormat): string {
  const ending = EXPORTS.find(({ value }) => value === format)?.ending ?? "txt";
  return `${exportStem(name)}.${ending}`;
}

/** The file that a sweep names for a trace: its own name if that is a file's, else what it is saved under as CSV. */
export function traceFile(name: string): string {
  return /\.[a-z]\w*$/i.test(name) ? name : exportName(name, "csv");
}

/** The name of a trace as the beginning of a file's. */
export function exportStem(name: string): string {
  const packed = /\.(gz|bz2|xz|zst|zip)$/i;
  const known =
    /\.(lackey|csv|tsv|txt|log|din|data|trace|champsimtrace|pagewalk)$/i;
  const stem = name
    .replace(packed, "")
    .replace(known, "")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  return stem === "" ? "trace" : stem;
}

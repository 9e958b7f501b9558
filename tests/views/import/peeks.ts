/** Previews of files, for tests. */
import type { ImportReport } from "../../../src/engine/generated/ImportReport";
import type { Peek } from "../../../src/engine/generated/Peek";

export function reportOf(part: Partial<ImportReport>): ImportReport {
  return {
    format: "lackey",
    completeness: "complete",
    records: 2,
    accesses: 2,
    operations: 0,
    skipped: [],
    pages_4k: { fetch: 0, data: 0 },
    warnings: [],
    ...part,
  };
}

/** Returns the preview of a whole file with two loads. */
export function peekOf(part: Partial<ImportReport>): Peek {
  const record = { kind: "load", size: 8, pid: 0, tid: 0, cpu: 0 } as const;
  return {
    packed: [],
    shown: [" L 1000,8", " L 2000,8"],
    records: [
      { ...record, address: "0x1000" },
      { ...record, address: "0x2000" },
    ],
    report: reportOf(part),
    is_whole: true,
  };
}

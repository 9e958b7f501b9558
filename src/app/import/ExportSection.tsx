import { useState } from "react";
import type { ExportFormat } from "../../engine/generated/ExportFormat";
import { exportName } from "../../model/import/exportText";
import { encodePermalink } from "../../model/permalink/permalink";
import { ExportForm } from "../../views/import/ExportForm";
import type { Written } from "../../views/import/ExportForm";
import { saveFile } from "../../views/shared/picture/saveFile";
import { useActions, useApp } from "../context";

/** Saves the open trace to a file. */
export function ExportSection() {
  const { exportTrace, cancelExport } = useActions();
  const trace = useApp((state) => state.trace);
  const exporting = useApp((state) => state.exporting);
  const [written, setWritten] = useState<Written>();
  if (!trace) return null;
  const save = async (format: ExportFormat) => {
    setWritten(undefined);
    const exported = await exportTrace(format);
    if (!exported) return;
    const name = exportName(trace.name, format);
    saveFile(exported.file, name);
    setWritten({ name, bytes: exported.file.size, lost: exported.lost });
  };
  const { done = 0, total = 0 } = exporting?.progress ?? {};
  return (
    <ExportForm
      name={trace.name}
      accesses={trace.n_accesses}
      operations={trace.import.operations}
      samples={trace.samples ?? 0}
      samplesAddress={`#${encodePermalink({ screen: "samples" })}`}
      progress={exporting && { done, total }}
      written={written}
      onExport={(format) => void save(format)}
      onCancel={cancelExport}
    />
  );
}

/** What a bug report needs, as text. The text names no file, unless the message of an error does. */
import { counted } from "../../model/shared/format";
import { VERSION } from "../../model/shared/version";
import type { AppState } from "../../state/store";

export function diagnostics(state: AppState): string {
  const { trace, machine, configuration, screen, task, notices } = state;
  const errors = notices.filter(({ tone }) => tone === "error");
  return [
    `Pagewalk ${VERSION}`,
    `Browser: ${navigator.userAgent}`,
    `Processors: ${navigator.hardwareConcurrency}`,
    `Screen: ${screen}, access ${state.cursor}`,
    `Machine: ${machine?.name ?? "none"}, ${configuration?.setup.os.default ?? "no"} pages`,
    `Trace: ${trace ? `${trace.import.format}, ${counted(trace.n_accesses, "access", "accesses")}, ${counted(trace.retained_bytes, "byte")}` : "none"}`,
    `Task: ${task?.label ?? "none"}`,
    ...errors.map(({ code, text }) => `Error ${code ?? ""}: ${text}`),
  ].join("\n");
}

/** The formats of traces and the choices of the import form, from the core's list. */
import type { FormatField } from "../../engine/generated/FormatField";
import type { Remedy } from "../../engine/generated/Remedy";
import type { Warning } from "../../engine/generated/Warning";
import { FORMATS } from "../../engine/generated/formats";

/** The labels of the fields in which the user chooses how a file is read. */
export const FIELD_LABELS: Readonly<
  Record<Exclude<FormatField, "none">, string>
> = {
  format: "Format",
  base: "Numbers",
  "lone-column": "The only column of addresses is",
};

/** The options of a field. */
export function choicesOf(
  field: FormatField,
): readonly { readonly value: string; readonly word: string }[] {
  return FORMATS.filter((format) => format.field === field).map(
    ({ id, label }) => ({ value: id, word: label }),
  );
}

/** The tool that made a trace, by the format in its report; an unknown format stands for itself. */
export function toolName(format: string): string {
  if (format === "workload") return "generated";
  return FORMATS.find(({ name }) => name === format)?.tool ?? format;
}

/** Returns whether the format has no mark of its own, so that its detection is a guess. */
export function isGuessed(format: string): boolean {
  return FORMATS.some(({ name, is_guessed }) => is_guessed && name === format);
}

/** The usual extensions of trace files, without a dot. */
export const EXTENSIONS: readonly string[] = FORMATS.flatMap(
  ({ extensions }) => extensions,
);

/** Adds to a sentence what the user can choose to solve the problem. */
export function withRemedy(
  sentence: string,
  remedy: Remedy | undefined,
): string {
  if (!remedy) return sentence;
  const { to, when } = remedy;
  const act =
    to.length === 0
      ? `choose it under ${FIELD_LABELS.format}`
      : `choose ${choices(to)}`;
  return when === undefined
    ? `${sentence}: ${act}`
    : `${sentence.replace(/\.$/, "")}. If ${when}, ${act}`;
}

export function warningText(warning: Warning): string {
  return typeof warning === "string"
    ? warning
    : withRemedy(warning.text, warning.remedy);
}

/** `“a” or “b” under Format`; the field stands after the last of its choices. */
function choices(ids: readonly string[]): string {
  const all = ids.map((id) => {
    const format = FORMATS.find((format) => format.id === id);
    const field = format?.field === "none" ? undefined : format?.field;
    return {
      word: format?.label ?? id,
      field: FIELD_LABELS[field ?? "format"],
    };
  });
  return all
    .map(({ word, field }, i) => {
      const isLast = all[i + 1]?.field !== field;
      return `“${word}”${isLast ? ` under ${field}` : ""}`;
    })
    .join(" or ");
}

/** The formats of traces and the choices of the import form, from the core's list. */
import type { FormatField } from "../../engine/generated/FormatField";
import type { FormatInfo } from "../../engine/generated/FormatInfo";
import type { FormatLimit } from "../../engine/generated/FormatLimit";
import type { Remedy } from "../../engine/generated/Remedy";
import type { Warning } from "../../engine/generated/Warning";
import { COMPRESSED, FORMATS } from "../../engine/generated/formats";

/** The labels of the fields in which the user chooses how a file is read. */
export const FIELD_LABELS: Readonly<
  Record<Exclude<FormatField, "none">, string>
> = {
  format: "Format",
  base: "Numbers",
  "lone-column": "The only address column is",
};

/** The options of a field. */
export function choicesOf(
  field: FormatField,
): readonly { readonly value: string; readonly word: string }[] {
  return FORMATS.filter((format) => format.field === field).map(
    ({ id, label }) => ({ value: id, word: label }),
  );
}

/** The bases of a list, as values of the type `Base`. */
export const BASES = choicesOf("base").map(({ value, word }) => ({
  value: value.replace(/^csv-/, ""),
  word,
}));

/** The format with the name in a report. Its other ids, which are choices, come after it in the list. */
function named(name: string): FormatInfo | undefined {
  return FORMATS.find((format) => format.name === name);
}

/** The tool that made a trace, by the format in its report; an unknown format stands for itself. */
export function toolName(format: string): string {
  if (format === "workload") return "generated";
  return named(format)?.tool ?? format;
}

/** Returns whether the format has no mark of its own, so that its detection is a guess. */
export function isGuessed(format: string): boolean {
  return named(format)?.is_guessed ?? false;
}

/** What even a complete trace of the format does not show. */
export function limitsOf(format: string): readonly FormatLimit[] {
  return named(format)?.limits ?? [];
}

/** Returns whether an id says what the only column of addresses is. */
export function isLoneColumn(id: string | undefined): boolean {
  return choicesOf("lone-column").some(({ value }) => value === id);
}

/** The choice under “Format” to which an id belongs. */
export function mainChoice(id: string): string {
  const format = FORMATS.find((format) => format.id === id);
  if (!format || format.field === "format") return id;
  return named(format.name)?.id ?? id;
}

/** The usual extensions of trace files, without a dot. */
export const EXTENSIONS: readonly string[] = FORMATS.flatMap(
  ({ extensions }) => extensions,
);

/** Words that follow “plain or compressed as”. */
export const COMPRESSED_WORDS = either(COMPRESSED.map((end) => `.${end}`));

/** The tools whose traces can be imported, in words. */
export const TOOLS = either(
  FORMATS.filter(
    ({ id, name, field }) => field === "format" && named(name)?.id === id,
  ).map(({ tool }) => tool),
);

function either(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}

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

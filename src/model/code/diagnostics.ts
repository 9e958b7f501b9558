/** Reads what the compiler and the linker write. */
import type { Diagnostic } from "./program";

/** A message with its place: `main.c:2:21: error: use of undeclared identifier 'y'`. */
const COMPILER =
  /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?:fatal )?(?<severity>error|warning|note): (?<message>.*)$/;
const LINKER = /^wasm-ld: (?<severity>error|warning): (?<message>.*)$/;
/** The files that include the one of the next message, the innermost first. */
const INCLUDED =
  /^(?:In file included from|\s+from) (?<file>[^\s:][^:]*):(?<line>\d+)[:,]/;
const COUNTS = /^\d+ (error|warning)s?( and \d+ errors?)? generated\.$/;
const UNDEFINED = /undefined symbol: (.+)$/;
const THREADS = /^__wrap_(?:pthread|thrd)_create$/;

/** `file` is the name of the user's text. */
export function readDiagnostics(
  said: string,
  file: string,
  text: string,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let included: number | undefined;
  for (const line of said.split("\n")) {
    const from = INCLUDED.exec(line)?.groups;
    if (from) {
      if (from["file"] === file) included = Number(from["line"]);
      continue;
    }
    const compiler = COMPILER.exec(line)?.groups;
    const linker = LINKER.exec(line)?.groups;
    if (compiler) {
      const isOwn = compiler["file"] === file;
      const at = isOwn ? Number(compiler["line"]) : included;
      found.push({
        severity: severity(compiler["severity"]),
        message: compiler["message"] ?? "",
        ...(at !== undefined && { line: at }),
        ...(isOwn && { column: Number(compiler["column"]) }),
        caret: "",
      });
      included = undefined;
    } else if (linker) {
      const next = linked(linker["message"] ?? "", text);
      const made = { ...next, severity: severity(linker["severity"]) };
      if (!found.some(({ message }) => message === made.message))
        found.push(made);
    } else if (line !== "" && !COUNTS.test(line)) {
      const last = found.pop();
      const caret = last?.caret ? `${last.caret}\n${line}` : line;
      if (last) found.push({ ...last, caret });
    }
  }
  return found;
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function severity(word: string | undefined): Diagnostic["severity"] {
  return word === "error" || word === "note" ? word : "warning";
}

/** The linker knows no lines: the first line that names the missing function is near enough. */
function linked(
  message: string,
  text: string,
): Pick<Diagnostic, "message" | "line" | "caret"> {
  const name = UNDEFINED.exec(message)?.[1];
  if (name === undefined) return { message, caret: "" };
  if (THREADS.test(name))
    return {
      message: "There are no threads here: a program has one.",
      ...lineOf(text, /\b(pthread_create|thrd_create|j?thread|async)\b/),
      caret: "",
    };
  // `f(int)` is how C++ names it.
  const plain = /[\w~]+(?=\(|$)/.exec(name)?.[0];
  return {
    message: `${name} is used, but its code is missing: define it.`,
    ...(plain !== undefined && lineOf(text, new RegExp(`(?<!\\w)${plain}\\b`))),
    caret: "",
  };
}

function lineOf(text: string, what: RegExp): Pick<Diagnostic, "line"> {
  const at = text.split("\n").findIndex((line) => what.test(line));
  return at < 0 ? {} : { line: at + 1 };
}

/** The lines of the source around the access, from the trace or from the code of the user's own program. */
import type { SourceView } from "../../engine/generated/SourceView";

export interface SourceLines {
  readonly line: number;
  readonly text: string;
}

/** The lines to show: those of the code where it is at hand, else those that the trace knows. */
export function sourceLines(
  { file, line, lines }: SourceView,
  code: string | undefined,
  around: number,
): readonly SourceLines[] {
  const all = code !== undefined && isMain(file) ? code.split("\n") : undefined;
  if (all && line <= all.length) {
    const first = Math.max(1, line - around);
    return all
      .slice(first - 1, line + around)
      .map((text, at) => ({ line: first + at, text: text.trimEnd() }));
  }
  const own = lines.findIndex((each) => each.line === line);
  return lines.slice(Math.max(0, own - around), own + around + 1);
}

/** Whether the file is the code that the user wrote. JavaScript has no file. */
function isMain(file: string): boolean {
  return file === "" || /(^|\/)main\.(c|cpp)$/.test(file);
}

/** `walk() at main.c:12`, with what is known. */
export function placeText({ function: name, file, line }: SourceView): string {
  const short = file.split(/[/\\]/).at(-1) ?? "";
  const place = short === "" ? `line ${line}` : `${short}:${line}`;
  return name === "" ? place : `${place}, ${name}`;
}

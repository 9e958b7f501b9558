/** How the pictures and the code relate, and how long a run may still take. */
import { useEffect, useState } from "react";
import { LANGUAGE_WORDS, languageOf, sameBuild } from "../../model/code/build";
import { programName, SCRIPT_LIMITS } from "../../model/code/code";
import { isOther } from "../../model/code/other";
import type { CodeProgram, ProgramText } from "../../model/code/code";
import { PROGRAM_LIMITS } from "../../model/code/program";

export function RunNote({ program }: { readonly program: CodeProgram }) {
  const { run, build } = program;
  const isTimed = run?.status === "running" && run.step?.what === "running";
  const { seconds } = build ? PROGRAM_LIMITS : SCRIPT_LIMITS;
  return (
    <p className="code-note t2">
      <span role="status">{noteOf(program)}</span>
      {isTimed ? <Elapsed most={seconds} /> : null}
    </p>
  );
}

/** The seconds since it was mounted. A screen reader does not read each of them. */
function Elapsed({ most }: { readonly most: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(
      () => setSeconds((before) => Math.min(before + 1, most)),
      1000,
    );
    return () => clearInterval(timer);
  }, [most]);
  return (
    <span className="num">
      {" "}
      {seconds} of {most} s
    </span>
  );
}

/** Empty if the pictures are those of the code. */
function noteOf(program: CodeProgram): string {
  const { name, code, build, run, shown } = program;
  const now = programName(name);
  if (run?.status === "running")
    return shown && shown.name !== now
      ? `“${now}” is running. Until it ends, this is “${shown.name}”.`
      : "Running …";
  if (!shown) return "";
  if (run?.status === "failed") {
    const what = run.problem.hasRun
      ? "left no accesses to show"
      : "did not run";
    return shown.name === now
      ? `The code ${what}. This is the last run that ended.`
      : `“${now}” ${what}. This is “${shown.name}”, the last program that ran.`;
  }
  if (isOther(program))
    return `These are the counts of ${titleOf(shown, build)}. Press Run for ${titleOf({ ...program, name: now }, shown.build)}.`;
  if (shown.code !== code) return "The code has changed since this run.";
  return sameBuild(shown.build, build)
    ? ""
    : "The language, the level or the arguments have changed since this run.";
}

/** The name, with the language if the other program has another one: `“rows” (JavaScript)`. */
function titleOf(
  { name, build }: Pick<ProgramText, "name" | "build">,
  other: ProgramText["build"],
): string {
  const language = languageOf(build);
  const isSame = language === languageOf(other);
  return isSame ? `“${name}”` : `“${name}” (${LANGUAGE_WORDS[language]})`;
}

/** The compiler of C and C++. */
import type { CompilerState, ProgramProblem } from "../../model/code/program";

export function compilerState(): Promise<CompilerState> {
  return Promise.resolve({ isKept: false, bytes: 0 });
}

export function loadCompiler(): Promise<ProgramProblem | undefined> {
  return Promise.resolve({
    stage: "load",
    message: "The compiler is missing.",
    diagnostics: [],
    output: "",
  });
}

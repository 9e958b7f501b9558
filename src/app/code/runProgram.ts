/** Compiles, instruments and runs a program. */
import type { ProgramFile, ProgramProblem } from "../../model/code/program";
import { loadCompiler } from "./compiler";

export function runProgram(): Promise<
  ProgramFile | ProgramProblem | undefined
> {
  return loadCompiler();
}

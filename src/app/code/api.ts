/** The browser services for programs in C, C++ and WebAssembly: a compiler and a sandbox. All of it loads on use. */
import type { ProgramService } from "../../state/code/programService";

export const programService: ProgramService = {
  compiler: async () => (await import("./compiler")).compilerState(),
  load: async () => (await import("./compiler")).loadCompiler(),
  run: async () => (await import("./runProgram")).runProgram(),
};

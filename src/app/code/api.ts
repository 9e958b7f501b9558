/** The browser services for programs in C, C++ and WebAssembly: a compiler and a sandbox. All of it loads on use. */
import type { ProgramService } from "../../state/code/programService";

export const programService: ProgramService = {
  compiler: async () => (await import("./compiler")).compilerState(),
  load: async (hooks) => (await import("./compiler")).loadCompiler(hooks),
  run: async (code, args, hooks) =>
    (await import("./runProgram")).runProgram(code, args, hooks),
};

/** The browser services for programs in C, C++ and WebAssembly: a compiler and a sandbox. All of it loads on use. */
import { importShared } from "../../engine/sharedImport";
import type { ProgramService } from "../../state/code/programService";

/** Tests pack what a program sends. */
interface Service extends ProgramService {
  readonly importShared: typeof importShared;
}

export const programService: Service = {
  importShared,
  compiler: async () => (await import("./compiler")).compilerState(),
  load: async (hooks) => (await import("./compiler")).loadCompiler(hooks),
  run: async (code, args, hooks) =>
    (await import("./runProgram")).runProgram(code, args, hooks),
};

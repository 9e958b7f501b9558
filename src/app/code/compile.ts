/** Compiles and links a text with the compiler, which a caller has loaded. */
import { problem } from "../../model/code/program";
import type {
  Diagnostic,
  ProgramProblem,
  Source,
} from "../../model/code/program";
import type { commands } from "@yowasp/clang";
import { isError, readDiagnostics } from "../../model/code/diagnostics";

/** The commands of the package `@yowasp/clang` that compile. */
export type Clang = Pick<typeof commands, "clang" | "clang++">;

export interface Compiled {
  readonly wasm: Uint8Array<ArrayBuffer>;
  readonly diagnostics: readonly Diagnostic[];
}

const OUT = "program.wasm";

/** The names of the text and of the compiler. */
const LANGUAGES = {
  c: ["main.c", "clang"],
  "c++": ["main.cpp", "clang++"],
} as const;

/** What other systems have, and this one only imitates: clocks of a process, signals, files in memory. */
const IMITATED = ["process-clocks", "signal", "mman", "getpid"];

const OPTIONS: readonly string[] = [
  "--target=wasm32-wasip1",
  "-g",
  "-Wall",
  // The system has no exceptions: without this, only the linker would say so.
  "-fno-exceptions",
  ...IMITATED.flatMap((name) => [
    `-D_WASI_EMULATED_${name.toUpperCase().replace("-", "_")}`,
    `-lwasi-emulated-${name}`,
  ]),
  "-Wl,--export=__heap_base,--export=__data_end",
  // One MiB: the linker's own choice is 64 KiB.
  "-Wl,-z,stack-size=1048576",
  // The system's own functions only return an error. These do not exist, so that the linker finds them.
  "-Wl,--wrap=pthread_create,--wrap=thrd_create",
];

/** Rejects only if the compiler itself crashes. */
export async function compile(
  clang: Clang,
  { text, language, level, options = [] }: Source,
): Promise<Compiled | ProgramProblem> {
  // The linker would not miss it: the start of a program calls it only if it is there.
  if (!/\bmain\b/.test(text))
    return problem("link", "The program has no function main: add one.");
  const [file, compiler] = LANGUAGES[language];
  const parts: Uint8Array[] = [];
  const keep = (bytes: Uint8Array | null) => {
    if (bytes) parts.push(bytes.slice());
  };
  const args = [...OPTIONS, `-O${level}`, ...options, file, "-o", OUT];
  const run = async () =>
    clang[compiler](args, { [file]: text }, { stdout: keep, stderr: keep });
  const made = await run().catch((error: unknown) => {
    // It exits with a status if the text has errors.
    if (isExit(error)) return undefined;
    throw error;
  });
  const said = await new Blob(parts as BlobPart[]).text();
  const diagnostics = readDiagnostics(said, file, text);
  const wasm = made?.[OUT];
  if (wasm instanceof Uint8Array)
    return { wasm: wasm as Uint8Array<ArrayBuffer>, diagnostics };
  const first = diagnostics.find(isError);
  return {
    ...problem(
      said.includes("wasm-ld: ") ? "link" : "compile",
      first?.message ?? "The compiler made no program, and did not say why.",
    ),
    ...(first?.line !== undefined && { line: first.line }),
    diagnostics,
  };
}

function isExit(error: unknown): boolean {
  return error instanceof Error && "code" in error && "files" in error;
}

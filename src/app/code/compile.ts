/** Compiles and links a text with the compiler, which a caller has loaded. */
import { problem } from "../../model/code/program";
import type {
  Diagnostic,
  ProgramProblem,
  Source,
} from "../../model/code/program";
import type { RunOptions, Tree, runLLVM } from "@yowasp/clang";
import { isError, readDiagnostics } from "../../model/code/diagnostics";

/** The tools of the package `@yowasp/clang`, by their names. */
export type Clang = typeof runLLVM;

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
  const isDefine = (option: string) => option.startsWith("-D");
  const others = options.filter((option) => !isDefine(option));
  const args = [...OPTIONS, `-O${level}`, ...others, file, "-o", OUT];
  const output = { stdout: keep, stderr: keep };
  const run = async () => {
    let files: Tree = { [file]: text };
    const [first = [], ...rest] = await steps(
      clang,
      [compiler, ...args],
      files,
      output,
    );
    // The value of a macro changes nothing about the commands.
    const all = [[...first, ...options.filter(isDefine)], ...rest];
    for (const step of all) files = (await clang(step, files, output)) ?? files;
    return files;
  };
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

/** The commands that a command of the compiler consists of. To ask for them takes as long as a short text. */
const known = new Map<string, readonly string[][]>();

/** Throws if an option is wrong: the text has what is wrong. */
async function steps(
  clang: Clang,
  command: readonly string[],
  files: Tree,
  output: RunOptions,
): Promise<readonly string[][]> {
  const key = JSON.stringify(command);
  const kept = known.get(key);
  if (kept) return kept;
  const parts: Uint8Array[] = [];
  const keep = (bytes: Uint8Array | null) => {
    if (bytes) parts.push(bytes.slice());
  };
  const [name = "", ...args] = command;
  try {
    await clang([name, "-###", ...args], files, { stdout: keep, stderr: keep });
  } catch (error) {
    for (const part of parts) output.stderr?.(part);
    throw error;
  }
  const said = await new Blob(parts as BlobPart[]).text();
  const found = said.split("\n").flatMap((line) => {
    const words = Array.from(
      line.matchAll(/ "((?:[^"\\]|\\.)*)"/g),
      ([, word]) => (word ?? "").replace(/\\(.)/g, "$1"),
    );
    // The first word is the file of the compiler, which has none here.
    const step = words[0] === "" ? words.slice(1) : words;
    return line.startsWith(' "') ? [step] : [];
  });
  known.set(key, found);
  return found;
}

function isExit(error: unknown): boolean {
  return error instanceof Error && "code" in error && "files" in error;
}

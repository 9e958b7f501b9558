/** Dropped programs: a text opens on the screen Code, a module for WASI runs and becomes the trace. */
import { FIRST_BUILD, languageOfFile } from "../../model/code/build";
import { NOT_LOADED, SCRIPT_LIMITS } from "../../model/code/code";
import { PROGRAM_LIMITS } from "../../model/code/program";
import type { Context } from "../context";
import { set } from "../context";
import { notify, sentence } from "../notices";
import { importFile } from "../import/traceActions";
import { showScreen } from "../screens";
import { showCode } from "./draft";
import { editProgram } from "./edit";
import { patchProgram } from "./programs";

interface Dropped {
  readonly file: Blob;
  readonly name: string;
}

/** Returns whether the file was a program. */
export async function takeProgram(
  context: Context,
  { file, name }: Dropped,
): Promise<boolean> {
  if (await isModule(file)) {
    await runModule(context, { file, name });
    return true;
  }
  const language = languageOfFile(name);
  if (!language) return false;
  const code = await file.text();
  if (code.length > SCRIPT_LIMITS.code || code.includes("\0")) return false;
  showScreen(context, { screen: "code" });
  await showCode(context);
  editProgram(context, 0, {
    name: name.replace(/\.\w+$/, ""),
    code,
    build: language === "javascript" ? undefined : { ...FIRST_BUILD, language },
  });
  patchProgram(context, 0, { waits: undefined });
  return true;
}

async function isModule(file: Blob): Promise<boolean> {
  const [a, b, c, d] = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return a === 0 && b === 0x61 && c === 0x73 && d === 0x6d;
}

/** Runs a module of Rust, Zig, AssemblyScript or another language. It was dropped, so its user wants it to run. */
async function runModule(
  context: Context,
  { file, name }: Dropped,
): Promise<void> {
  context.import?.abort();
  const abort = new AbortController();
  context.import = abort;
  set(context, { importing: { name, size: file.size } });
  try {
    const service = await context.codeService.programs();
    const wasm = new Uint8Array(await file.arrayBuffer());
    const made = await service.run({ wasm, name }, [], {
      signal: abort.signal,
      onStep: () => {},
    });
    if (!made || abort.signal.aborted) return;
    if ("message" in made) {
      fail(context, name, made.message);
      return;
    }
    const limit = PROGRAM_LIMITS.accesses;
    await importFile(context, { file: made.file(), name, choices: { limit } });
    const { trap } = made.result;
    if (trap) fail(context, name, `the program stopped: ${trap.message}`);
  } catch {
    fail(context, name, NOT_LOADED);
  } finally {
    if (context.import === abort) set(context, { importing: undefined });
  }
}

function fail(context: Context, name: string, why: string): void {
  notify(context, {
    tone: "error",
    kind: "import",
    text: `${name}: ${sentence(why)}`,
  });
}

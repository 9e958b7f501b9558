/** Dropped programs: a text opens on the screen Code, a module for WASI runs and becomes the trace. */
import { FIRST_BUILD, languageOfFile } from "../../model/code/build";
import { SCRIPT_LIMITS } from "../../model/code/code";
import { PROGRAM_LIMITS } from "../../model/code/program";
import type { ProgramFile } from "../../model/code/program";
import type { Context } from "../context";
import { notify, sentence } from "../notices";
import { showScreen } from "../screens";
import { showCode } from "./draft";
import { editProgram } from "./edit";
import { openRun } from "./openRun";
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
  const ran = await openRun<ProgramFile>(context, {
    request: { name },
    limit: PROGRAM_LIMITS.accesses,
    abort: new AbortController(),
    run: async (hooks) => {
      const service = await context.codeService.programs();
      const wasm = new Uint8Array(await file.arrayBuffer());
      return service.run({ wasm, name }, [], hooks);
    },
  });
  if (!ran) return;
  if ("message" in ran) fail(context, name, ran.message);
  else if (ran.result.trap)
    fail(context, name, `the program stopped: ${ran.result.trap.message}`);
}

function fail(context: Context, name: string, why: string): void {
  notify(context, {
    tone: "error",
    kind: "import",
    text: `${name}: ${sentence(why)}`,
  });
}

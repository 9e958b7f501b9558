/** Compiles, instruments and runs a program, and makes a trace of its accesses. */
import { NOT_LOADED, PROGRAM_LIMITS, problem } from "../../model/code/program";
import type {
  ProgramCode,
  ProgramFile,
  ProgramProblem,
} from "../../model/code/program";
import { recordCounter } from "../../model/code/records";
import { lineOfTrap } from "../../model/code/trap";
import { counted } from "../../model/shared/format";
import type { ProgramHooks } from "../../state/code/programService";
import { openSandbox } from "./sandbox";
import { makeProgram } from "./compiler";
import type { Made } from "./compilerWorker";
import host from "./host.js?raw";
import { readMessage } from "./messages";
import { programFile } from "./programFile";

interface RunLimits {
  readonly accesses: number;
  readonly seconds: number;
}

type Ran = ProgramFile | ProgramProblem | undefined;

/** What a run has come to. */
interface End {
  readonly output?: string;
  readonly status?: number;
  readonly trap?: { readonly message: string; readonly line?: number };
}

/** Words of records per access: a block with one access has two, and few blocks have none. */
const WORDS = 4;

export async function runProgram(
  code: ProgramCode,
  args: readonly string[],
  hooks: ProgramHooks,
  limits: RunLimits = PROGRAM_LIMITS,
): Promise<Ran> {
  const made = await makeProgram(code, hooks);
  if (!made || hooks.signal.aborted) return undefined;
  if ("stage" in made) return made;
  const isSource = "source" in code;
  const name = isSource ? "program" : code.name;
  const lines = isSource ? code.source.text.split("\n") : [];
  return runModule(made, lines, [name, ...args], hooks, limits);
}

/** Resolves with the accesses, also if the program ended early; with `undefined` if the run was aborted. */
function runModule(
  made: Made,
  lines: readonly string[],
  args: readonly string[],
  { signal, onStep }: ProgramHooks,
  limits: RunLimits,
): Promise<Ran> {
  const { about, diagnostics } = made;
  const count = recordCounter(about);
  const chunks: ArrayBuffer[] = [];
  let accesses = 0;
  onStep({ what: "running", accesses });
  return new Promise((resolve) => {
    const end = (ran: Ran) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      sandbox.close();
      resolve(ran);
    };
    const abort = () => end(undefined);
    const finish = ({ output = "", status = 0, trap }: End) => {
      if (accesses === 0) {
        const why =
          trap?.message ??
          "The program made no access: it must load or store in its memory. Without optimisation (-O0), its variables are in memory.";
        const line = trap?.line !== undefined && { line: trap.line };
        end({ ...problem("run", why), ...line, diagnostics, output });
        return;
      }
      end({
        file: programFile(about, lines, chunks),
        result: {
          accesses,
          output,
          status,
          ...(trap && { trap }),
          diagnostics,
          about,
        },
      });
    };
    const stop = (message: string, output = "") =>
      finish({ output, trap: { message } });
    const tooMany = (output: string) =>
      stop(
        `Stopped at ${counted(limits.accesses, "access", "accesses")}, the limit for a program. The accesses before are kept.`,
        output,
      );
    const receive = (data: unknown) => {
      const message = readMessage(data);
      switch (message?.what) {
        case "chunk": {
          const more = count(new Uint32Array(message.bytes));
          if (more === undefined) {
            end(problem("run", STRANGE));
            return;
          }
          accesses += more;
          chunks.push(message.bytes);
          onStep({ what: "running", accesses });
          if (accesses >= limits.accesses) tooMany("");
          return;
        }
        case "too-many":
          tooMany(message.output);
          return;
        case "done":
          finish(message);
          return;
        case "failed": {
          const { at, output } = message;
          const line = lineOfTrap(about, at, made.code);
          const trap = {
            message: trapText(message.message),
            ...(line !== undefined && { line }),
          };
          finish({ output, status: TRAPPED, trap });
          return;
        }
        case undefined:
          end(problem("run", STRANGE));
      }
    };
    const sandbox = openSandbox({
      source: host,
      start: {
        program: { bytes: made.module, args },
        limit: limits.accesses * WORDS,
      },
      onMessage: receive,
      onMissing: () => end(problem("run", NOT_LOADED)),
      onCrash: () =>
        stop(
          "The browser ended the program. It may need too much memory: make its data smaller.",
        ),
    });
    const timer = setTimeout(
      () =>
        stop(
          `Stopped after ${counted(limits.seconds, "second")}: does it ever end?`,
        ),
      limits.seconds * 1000,
    );
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
}

const STRANGE =
  "The program sent records that are not its own: reload the page and run it again.";

/** A shell shows this status for a program that a signal has ended (SIGABRT). */
const TRAPPED = 134;

/** Browsers word traps differently. */
const TRAPS: readonly (readonly [RegExp, string])[] = [
  [
    /memory access out of bounds|out of bounds memory|out-of-bounds memory/i,
    "it used an address outside of its memory",
  ],
  [/divide by zero|division by zero/i, "it divided by zero"],
  [
    /unreachable/i,
    "it called abort or an assertion failed, or it reached code that must not run",
  ],
  [
    /call stack|recursion/i,
    "its calls are nested too deeply: does a recursion end?",
  ],
  [/signature|table index|null function/i, "it called no valid function"],
  [/overflow|unrepresentable/i, "a number was too large for its type"],
];

function trapText(message: string): string {
  const known = TRAPS.find(([pattern]) => pattern.test(message))?.[1];
  return `The program stopped: ${known ?? message}.`;
}

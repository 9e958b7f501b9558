/** Compiles, instruments and runs a program, and makes a trace of its accesses. */
import { NOT_LOADED, PROGRAM_LIMITS, problem } from "../../model/code/program";
import type {
  ProgramCode,
  ProgramFile,
  ProgramProblem,
} from "../../model/code/program";
import { recordCounter } from "../../model/code/records";
import { counted } from "../../model/shared/format";
import type { ProgramHooks } from "../../state/code/programService";
import { openSandbox } from "./sandbox";
import { makeProgram, placeOfTrap } from "./compiler";
import type { Made, TrapPlace } from "./compilerMessages";
import host from "./host.js?raw";
import { readMessage } from "./messages";
import { programFile } from "./programFile";
import type { ProgramRecords } from "./programFile";

interface RunLimits {
  readonly accesses: number;
  readonly seconds: number;
}

type Ran = ProgramFile | ProgramProblem | undefined;

/** How a run has ended. */
interface End {
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
  const fetches = isSource && code.fetches === true;
  return runModule(made, { lines, fetches }, [name, ...args], hooks, limits);
}

/** Resolves with the accesses, also if the program ended early; with `undefined` if the run was aborted. */
function runModule(
  made: Made,
  parts: Pick<ProgramRecords, "lines" | "fetches">,
  args: readonly string[],
  hooks: ProgramHooks,
  limits: RunLimits,
): Promise<Ran> {
  const { about, diagnostics } = made;
  const { signal, onStep } = hooks;
  const count = recordCounter(about);
  const chunks: Uint32Array<ArrayBuffer>[] = [];
  let accesses = 0;
  let output = "";
  onStep({ what: "running", accesses });
  return new Promise((resolve) => {
    const end = (ran: Ran) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      sandbox.close();
      resolve(ran);
    };
    const abort = () => end(undefined);
    const finish = ({ status = 0, trap }: End) => {
      if (accesses === 0) {
        const why =
          trap?.message ??
          "The program made no access: it must load or store in its memory. Without optimisation (-O0), its variables are in memory.";
        const line = trap?.line !== undefined && { line: trap.line };
        end({ ...problem("run", why), ...line, diagnostics, output });
        return;
      }
      end({
        file: programFile({ about, chunks, ...parts }),
        result: {
          accesses: Math.min(accesses, limits.accesses),
          output,
          status,
          ...(trap && { trap }),
          diagnostics,
          about,
        },
      });
    };
    const stop = (message: string) => finish({ trap: { message } });
    const stopAt = {
      accesses: () =>
        stop(
          `Stopped at ${counted(limits.accesses, "access", "accesses")}, the limit for a program.`,
        ),
      time: () =>
        stop(
          `Stopped after ${counted(limits.seconds, "second")}: does it ever end?`,
        ),
    };
    const trapped = async (message: string, at: readonly number[]) => {
      clearTimeout(timer);
      sandbox.close();
      // The worker that knows the place may be compiling the other program.
      const { line, function: name } = await Promise.race([
        placeOfTrap(made.wasm, at),
        nowhere(PATIENCE_MS),
      ]);
      if (signal.aborted) return;
      const trap = {
        message: trapText(message, line === undefined ? name : undefined),
        ...(line !== undefined && { line }),
      };
      finish({ status: TRAPPED, trap });
    };
    const receive = (data: unknown) => {
      const message = readMessage(data);
      switch (message?.what) {
        case "chunk": {
          const more = count(message.records);
          if (more === undefined) {
            end(problem("run", STRANGE));
            return;
          }
          accesses += more;
          chunks.push(message.records);
          onStep({ what: "running", accesses });
          if (accesses >= limits.accesses) stopAt.accesses();
          return;
        }
        case "output":
          output = (output + message.text).slice(0, MOST_OUTPUT);
          return;
        case "stopped":
          stopAt[message.limit]();
          return;
        case "done":
          finish(message);
          return;
        case "failed":
          void trapped(message.message, message.at);
          return;
        case undefined:
          end(problem("run", STRANGE));
      }
    };
    const sandbox = openSandbox({
      source: host,
      start: {
        program: { bytes: made.module, args },
        limits: { words: limits.accesses * WORDS, seconds: limits.seconds },
      },
      onMessage: receive,
      onMissing: () => end(problem("run", NOT_LOADED)),
      onCrash: () =>
        stop(
          "The browser ended the program. It may need too much memory: make its data smaller.",
        ),
    });
    // The worker itself looks at its clock while the program makes accesses, and then keeps all of them.
    const timer = setTimeout(
      stopAt.time,
      (limits.seconds + GRACE_SECONDS) * 1000,
    );
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
}

const GRACE_SECONDS = 1;

/** What the place of a trap is waited for. */
const PATIENCE_MS = 3000;

const nowhere = (after: number) =>
  new Promise<TrapPlace>((resolve) => setTimeout(() => resolve({}), after));

const MOST_OUTPUT = 1 << 16;

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

/** `name` is that of the function, if nothing better is known about the place. */
function trapText(message: string, name: string | undefined): string {
  const known = TRAPS.find(([pattern]) => pattern.test(message))?.[1];
  const where = name === undefined ? "" : ` in ${name}`;
  return `The program stopped${where}: ${known ?? message}.`;
}

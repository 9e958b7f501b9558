/** Compiles, instruments and runs a program, and makes a trace of its accesses. */
import { messageOf } from "../../model/shared/messageOf";
import { NOT_LOADED, PROGRAM_LIMITS, problem } from "../../model/code/program";
import type {
  ProgramCode,
  ProgramFile,
  ProgramProblem,
} from "../../model/code/program";
import { boundsOf } from "../../model/code/bounds";
import { nullsOf } from "../../model/code/nulls";
import { recordCounter } from "../../model/code/records";
import { trapText } from "../../model/code/traps";
import { counted, memorySize } from "../../model/shared/format";
import type { ProgramHooks } from "../../state/code/programService";
import { prepareSandbox } from "./sandbox";
import type { PreparedSandbox } from "./sandbox";
import { makeProgram, placeOfTrap } from "./compiler";
import type { Made, TrapPlace } from "./compilerMessages";
import host from "./host.js?raw";
import { readMessage } from "./messages";
import type { Message } from "./messages";
import { programFile } from "./programFile";
import type { ProgramRecords } from "./programFile";
import { recordsOf } from "./records";

type Failed = Extract<Message, { readonly what: "failed" }>;

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
  const frame = prepareSandbox();
  const made = await makeProgram(code, hooks).catch((thrown: unknown) => {
    frame.close();
    throw thrown;
  });
  const isMade = made && !hooks.signal.aborted;
  if (!isMade || "stage" in made) frame.close();
  if (!isMade) return undefined;
  if ("stage" in made) return made;
  const isSource = "source" in code;
  const name = isSource ? "program" : code.name;
  const lines = isSource ? code.source.text.split("\n") : [];
  const fetches = isSource && code.fetches === true;
  const parts = { lines, fetches };
  return runModule({ frame, made, parts }, [name, ...args], hooks, limits);
}

/** Resolves with the accesses, also if the program ended early; with `undefined` if the run was aborted. */
function runModule(
  { frame, made, parts }: Prepared,
  args: readonly string[],
  hooks: ProgramHooks,
  limits: RunLimits,
): Promise<Ran> {
  const { about, diagnostics } = made;
  const { signal, onStep, packing } = hooks;
  const nulls = new Map<number, number>();
  const count = recordCounter(about, (site, bytes) => nulls.set(site, bytes));
  const bounds = boundsOf(about, parts.lines);
  const records = recordsOf({ about, ...parts }, packing);
  let accesses = 0;
  let output = "";
  let isHalted = false;
  onStep({ what: "running", accesses });
  return new Promise((resolve) => {
    /** Ends the program. */
    const halt = () => {
      isHalted = true;
      clearTimeout(timer);
      frame.close();
    };
    const end = (ran: Ran) => {
      halt();
      signal.removeEventListener("abort", abort);
      resolve(ran);
    };
    const fail = (ran: ProgramProblem | undefined) => {
      records.cancel();
      end(ran);
    };
    const abort = () => fail(undefined);
    const lost = (thrown: unknown) => fail(problem("run", messageOf(thrown)));
    const finish = async ({ status = 0, trap }: End) => {
      halt();
      if (accesses === 0) {
        const why =
          trap?.message ??
          "The program made no access: it must load or store in its memory. Without optimisation (-O0), its variables are in memory.";
        const line = trap?.line !== undefined && { line: trap.line };
        fail({
          ...problem("run", why),
          ...line,
          diagnostics,
          output,
          hasRun: true,
        });
        return;
      }
      const chunks = await records.end();
      end({
        file: fileOf({ about, chunks, ...parts }),
        result: {
          accesses: Math.min(accesses, limits.accesses),
          output,
          status,
          ...(trap && { trap }),
          diagnostics,
          about,
          notes: [
            ...nullsOf(about, nulls),
            ...bounds.notes(),
            // The host leaves out the rest; a letter has up to four bytes.
            ...(output.length > MOST_OUTPUT - 4 ? [OUTPUT_ENDS] : []),
          ],
        },
      });
    };
    const stop = (message: string) =>
      void finish({ trap: { message } }).catch(lost);
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
    const trapped = async ({ message, at, last, size: bytes }: Failed) => {
      halt();
      // The worker that knows the place may be compiling the other program.
      const place = await Promise.race([
        placeOfTrap(made.wasm, at),
        nowhere(PATIENCE_MS),
      ]);
      if (signal.aborted) return;
      const { lines } = parts;
      const chunks = accesses > 0 ? await records.end() : [];
      const run = { about, lines, chunks, output, last, bytes };
      const { line } = place;
      const trap = {
        message: trapText({ message, ...place, ...run }),
        ...(line !== undefined && { line }),
      };
      await finish({ status: TRAPPED, trap });
    };
    const receive = (data: unknown) => {
      // A message may have been under way when the program ended.
      if (isHalted) return;
      const message = readMessage(data);
      switch (message?.what) {
        case "chunk": {
          const more = count(message.records);
          if (more === undefined) {
            stop(OVERWRITTEN);
            return;
          }
          accesses += more;
          bounds.take(message.records);
          records.take(message.records);
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
          finish(message).catch(lost);
          return;
        case "failed":
          trapped(message).catch(lost);
          return;
        case undefined:
          fail(problem("run", STRANGE));
      }
    };
    // The worker itself looks at its clock while the program makes accesses, and then keeps all of them.
    const timer = setTimeout(
      stopAt.time,
      (limits.seconds + GRACE_SECONDS) * 1000,
    );
    signal.addEventListener("abort", abort);
    try {
      frame.open({
        source: host,
        start: {
          program: { bytes: made.module, args },
          limits: { words: limits.accesses * WORDS, seconds: limits.seconds },
        },
        onMessage: receive,
        onMissing: () => fail(problem("run", NOT_LOADED)),
        onCrash: () =>
          stop(
            "The browser ended the program. It may need too much memory: make its data smaller.",
          ),
      });
    } catch (thrown) {
      lost(thrown);
    }
    if (signal.aborted) abort();
  });
}

/** Makes the file of a run when it is first needed. From then on, the browser has the records, and not the page. */
function fileOf({ chunks, ...rest }: ProgramRecords): () => Blob {
  let left = chunks;
  let file: Blob | undefined;
  return () => {
    file ??= programFile({ ...rest, chunks: left });
    left = [];
    return file;
  };
}

interface Prepared {
  readonly frame: PreparedSandbox;
  readonly made: Made;
  readonly parts: Pick<ProgramRecords, "lines" | "fetches">;
}

const GRACE_SECONDS = 1;

/** What the place of a trap is waited for. */
const PATIENCE_MS = 3000;

const nowhere = (after: number) =>
  new Promise<TrapPlace>((resolve) => setTimeout(() => resolve({}), after));

const MOST_OUTPUT = 1 << 16;

const OUTPUT_ENDS = `The output is shown up to its limit of ${memorySize(MOST_OUTPUT)}: the program has printed more.`;

const STRANGE =
  "The program sent records that are not its own: reload the page and run it again.";

/** The records lie behind the memory of the program, and writing there does not trap. */
const OVERWRITTEN =
  "The program stopped: it wrote behind the end of its memory. Has an index left its array?";

/** A shell shows this status for a program that a signal has ended (SIGABRT). */
const TRAPPED = 134;

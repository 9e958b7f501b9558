/** Runs the code of a loop in its sandbox, and makes a file of its accesses that the importer reads. */
import { LOOP_LIMITS } from "../../model/loop";
import type { LoopProblem } from "../../model/loop";
import { prepareLoop } from "../../model/loopCode";
import type { PreparedLoop } from "../../model/loopCode";
import { count } from "../../model/format";
import type { LoopFile, LoopHooks } from "../../state/loopService";
import { readMessage } from "./messages";
import type { Failure } from "./messages";
import { loopFile } from "./loopFile";
import { openSandbox } from "./sandbox";

export interface Limits {
  readonly accesses: number;
  readonly seconds: number;
}

/** Ends with a file, or with what is wrong; aborted, with nothing. */
export function runLoop(
  code: string,
  { signal, onProgress }: LoopHooks,
  limits: Limits = LOOP_LIMITS,
): Promise<LoopFile | LoopProblem | undefined> {
  const prepared = prepareLoop(code);
  const { problem, sites } = prepared;
  if (problem) return Promise.resolve(problem);
  return new Promise((resolve) => {
    const began = performance.now();
    const chunks: ArrayBuffer[] = [];
    let accesses = 0;
    const end = (result: LoopFile | LoopProblem | undefined) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      sandbox.close();
      resolve(result);
    };
    const abort = () => end(undefined);
    const sandbox = openSandbox({
      start: {
        program: { code: prepared.code, sites },
        limit: limits.accesses,
      },
      onMessage: (data) => {
        const message = readMessage(data);
        if (!message) {
          end({ message: STRANGE });
          return;
        }
        switch (message.what) {
          case "chunk":
            accesses += message.n;
            if (accesses > limits.accesses) {
              end(tooMany(limits, undefined));
              return;
            }
            chunks.push(message.bytes);
            {
              onProgress(accesses);
              return;
            }
          case "too-many": {
            end(tooMany(limits, message.line));
            return;
          }
          case "failed": {
            end(failed(message, prepared));
            return;
          }
          case "done": {
            if (accesses === 0) {
              end({ message: NOTHING });
              return;
            }
            const lines = [...new Set(sites.map(({ line }) => line))];
            const { arrays, log } = message;
            const milliseconds = performance.now() - began;
            const result = { accesses, milliseconds, arrays, log };
            end({ file: loopFile(arrays, lines, chunks), result });
            return;
          }
        }
      },
      onCrash: (why) =>
        end({
          message: `The browser ended the loop${why === "" ? "" : `: ${why}`}. Does it need more memory than there is?`,
        }),
    });
    const timer = setTimeout(
      () =>
        end({
          message: `It was stopped after ${limits.seconds} seconds, with ${count(accesses)} accesses or more: is there a loop that does not end?`,
        }),
      limits.seconds * 1000,
    );
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
}

const NOTHING =
  "It ended without an access: call load(a, i) or store(a, i) on an array that array(n) makes.";
const STRANGE =
  "What the loop sent is no list of accesses: it must leave the objects of the language as they are.";

function tooMany({ accesses }: Limits, line: number | undefined): LoopProblem {
  const message = `It was stopped at ${count(accesses)} accesses, the most that a loop may make: let it do fewer rounds.`;
  return { message, ...(line !== undefined && line > 0 && { line }) };
}

function failed(
  { name, message, line, isSyntax }: Failure,
  { unreadable }: PreparedLoop,
): LoopProblem {
  const at = isSyntax ? unreadable : line;
  const known = name === "" || name === "Error" ? "" : `${name}: `;
  // What the API itself refuses says it in a sentence of its own.
  const own = /does not exist|there is no|takes an array|which element/.test(
    message,
  );
  const text = isSyntax
    ? `It cannot be read as JavaScript: ${plain(message)}`
    : `${own ? "" : known}${plain(message)}`;
  return { message: text, ...(at !== undefined && { line: at }) };
}

/** The names that calls were given are nobody's business. */
function plain(message: string): string {
  const text = message.replaceAll(/\$(load|store|array)\d+/g, "$1").trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

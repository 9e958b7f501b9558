/** Runs JavaScript in its sandbox, and turns its accesses into a file for the importer. */
import { SCRIPT_LIMITS, NOT_LOADED } from "../../model/code/code";
import type { CodeProblem } from "../../model/code/code";
import { prepareScript } from "../../model/code/script";
import type { CodeFile, CodeHooks } from "../../state/code/service";
import { readMessage } from "./scriptMessages";
import { scriptFile } from "./scriptFile";
import {
  crashed,
  failed,
  NOTHING,
  STRANGE,
  stopped,
  tooMany,
} from "./scriptProblems";
import type { Limits } from "./scriptProblems";
import { openSandbox } from "./sandbox";
import source from "./scriptHost.js?raw";

/** Resolves with a file or an error; with `undefined` if the run was aborted. */
export function runProgram(
  code: string,
  { signal, onProgress }: CodeHooks,
  limits: Limits = SCRIPT_LIMITS,
): Promise<CodeFile | CodeProblem | undefined> {
  const prepared = prepareScript(code);
  const { problem, sites } = prepared;
  if (problem) return Promise.resolve(problem);
  return new Promise((resolve) => {
    const chunks: ArrayBuffer[] = [];
    let accesses = 0;
    const end = (result: CodeFile | CodeProblem | undefined) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      sandbox.close();
      resolve(result);
    };
    const abort = () => end(undefined);
    const sandbox = openSandbox({
      source,
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
              end({ message: NOTHING, hasRun: true });
              return;
            }
            const lines = [...new Set(sites.map(({ line }) => line))];
            const { arrays, log } = message;
            const result = { accesses, arrays, log };
            const file = scriptFile(arrays, lines, chunks);
            end({ file: () => file, result });
            return;
          }
        }
      },
      onMissing: () => end({ message: NOT_LOADED }),
      onCrash: (why) =>
        end({
          message: crashed(why),
        }),
    });
    const timer = setTimeout(
      () => end(stopped(limits, accesses, prepared)),
      limits.seconds * 1000,
    );
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
}

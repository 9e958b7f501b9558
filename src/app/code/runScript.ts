/** Runs JavaScript in its sandbox, and turns its accesses into a file for the importer. */
import { SCRIPT_LIMITS, NOT_LOADED } from "../../model/code/code";
import type { CodeProblem } from "../../model/code/code";
import { prepareScript } from "../../model/code/script";
import { messageOf } from "../../model/shared/messageOf";
import type { CodeFile, CodeHooks } from "../../state/code/service";
import { filePartsOf } from "./fileParts";
import { readMessage } from "./scriptMessages";
import { arrayRecords, scriptHead } from "./scriptFile";
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

/** The most arrays that a program makes. */
const MOST_ARRAYS = 1000;

/** Resolves with a file or an error; with `undefined` if the run was aborted. */
export function runProgram(
  code: string,
  { signal, onProgress, packing }: CodeHooks,
  limits: Limits = SCRIPT_LIMITS,
): Promise<CodeFile | CodeProblem | undefined> {
  const prepared = prepareScript(code);
  const { problem, sites } = prepared;
  if (problem) return Promise.resolve(problem);
  return new Promise((resolve) => {
    const head = scriptHead([...new Set(sites.map(({ line }) => line))]);
    const parts = filePartsOf(() => head.slice(), packing);
    let accesses = 0;
    let nArrays = 0;
    let isHalted = false;
    /** Ends the program. */
    const halt = () => {
      isHalted = true;
      clearTimeout(timer);
      sandbox.close();
    };
    const end = (result: CodeFile | CodeProblem | undefined) => {
      halt();
      signal.removeEventListener("abort", abort);
      resolve(result);
    };
    const fail = (why: CodeProblem | undefined) => {
      parts.cancel();
      end(why);
    };
    const abort = () => fail(undefined);
    const finish = async (result: CodeFile["result"]) => {
      halt();
      const records = await parts.end();
      end({ file: fileOf([head, ...records]), result });
    };
    const sandbox = openSandbox({
      source,
      start: {
        program: { code: prepared.code, sites },
        limit: limits.accesses,
      },
      onMessage: (data) => {
        // A message may have been under way when the program ended.
        if (isHalted) return;
        const message = readMessage(data);
        if (!message) {
          fail({ message: STRANGE });
          return;
        }
        switch (message.what) {
          case "chunk":
            accesses += message.n;
            if (accesses > limits.accesses) {
              fail(tooMany(limits, undefined));
              return;
            }
            parts.take(message.bytes);
            onProgress(accesses);
            return;
          case "array":
            nArrays += 1;
            if (nArrays > MOST_ARRAYS) fail({ message: STRANGE });
            else parts.take(arrayRecords(message.array));
            return;
          case "too-many":
            fail(tooMany(limits, message.line));
            return;
          case "failed":
            fail(failed(message, prepared));
            return;
          case "done": {
            const { arrays, log } = message;
            if (accesses === 0) fail({ message: NOTHING, hasRun: true });
            else
              finish({ accesses, arrays, log }).catch((thrown: unknown) =>
                fail({ message: messageOf(thrown) }),
              );
          }
        }
      },
      onMissing: () => fail({ message: NOT_LOADED }),
      onCrash: (why) => fail({ message: crashed(why) }),
    });
    const timer = setTimeout(
      () => fail(stopped(limits, accesses, prepared)),
      limits.seconds * 1000,
    );
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
}

/** Makes the file of a run when it is first needed. From then on, the browser has the parts, and not the page. */
function fileOf(parts: readonly BlobPart[]): () => Blob {
  let left = parts;
  let file: Blob | undefined;
  return () => {
    file ??= new Blob([...left]);
    left = [];
    return file;
  };
}

/** Programs without a sandbox. The test sets the outcome of a run. */
import type { ProgramText } from "../../src/model/code/code";
import type { CodeService } from "../../src/state/code/service";

export interface FakeCode extends CodeService {
  /** The codes that ran, in order. */
  readonly ran: string[];
  /** The result of the next run. */
  outcome: Awaited<ReturnType<CodeService["run"]>>;
  stored: readonly ProgramText[];
}

/** Creates a fake service. The word for a link is the code with a `!` after it. */
export function fakeCode(): FakeCode {
  const codeService: FakeCode = {
    ran: [],
    outcome: undefined,
    stored: [],
    run: (code, { onProgress }) => {
      codeService.ran.push(code);
      onProgress(2);
      return Promise.resolve(codeService.outcome);
    },
    pack: (code) => Promise.resolve(`${code}!`),
    unpack: (word) =>
      word.endsWith("!")
        ? Promise.resolve(word.slice(0, -1))
        : Promise.reject(new Error("damaged")),
    kept: () => codeService.stored,
    keep: (all) => (codeService.stored = all),
  };
  return codeService;
}

/** Programs without a sandbox. The test sets the outcome of a run. */
import type { ProgramText } from "../../src/model/code/code";
import type { ProgramCode } from "../../src/model/code/program";
import type {
  Packing,
  ProgramService,
} from "../../src/state/code/programService";
import type { CodeService } from "../../src/state/code/service";

export interface FakeCode extends CodeService {
  /** Programs in C and C++. */
  readonly built: FakePrograms;
  /** The codes that ran, in order. */
  readonly ran: string[];
  /** The result of the next run. */
  outcome: Awaited<ReturnType<CodeService["run"]>>;
  stored: readonly ProgramText[];
}

export interface FakePrograms extends ProgramService {
  /** The programs that ran, and their arguments. */
  readonly ran: { code: ProgramCode; args: readonly string[] }[];
  isKept: boolean;
  /** What a download ends with. */
  loaded: Awaited<ReturnType<ProgramService["load"]>>;
  /** Holds a download until it is called. */
  release: (() => void) | undefined;
  isHeld: boolean;
  /** Whether a run imports its accesses meanwhile, also one of a script, and whether it ends their file also if it fails. */
  packs: boolean;
  endsFile: boolean;
  outcome: Awaited<ReturnType<ProgramService["run"]>>;
}

const isFile = (outcome: object | undefined) =>
  outcome !== undefined && "file" in outcome;

/** Begins to import a file, and ends it if `ends`. */
function pack(packing: Packing | undefined, ends: boolean): void {
  const { port1 } = new MessageChannel();
  packing?.begin(port1).catch(() => undefined);
  if (ends) packing?.onEnd();
}

function fakePrograms(): FakePrograms {
  const programs: FakePrograms = {
    ran: [],
    isKept: true,
    loaded: undefined,
    release: undefined,
    isHeld: false,
    packs: false,
    endsFile: false,
    outcome: undefined,
    compiler: () => Promise.resolve({ isKept: programs.isKept, bytes: 27e6 }),
    load: async ({ signal, onStep }) => {
      onStep({ what: "loading", done: 9e6, total: 27e6 });
      if (programs.isHeld)
        await new Promise<void>((resolve) => {
          programs.release = resolve;
          signal.addEventListener("abort", () => resolve());
        });
      if (!signal.aborted && !programs.loaded) programs.isKept = true;
      return programs.loaded;
    },
    run: (code, args, { onStep, packing }) => {
      programs.ran.push({ code, args });
      onStep({ what: "compiling" });
      const { outcome, packs, endsFile } = programs;
      if (packs) pack(packing, endsFile || isFile(outcome));
      return Promise.resolve(outcome);
    },
  };
  return programs;
}

/** Creates a fake service. The word for a link is the code with a `!` after it. */
export function fakeCode(): FakeCode {
  const built = fakePrograms();
  const codeService: FakeCode = {
    ran: [],
    outcome: undefined,
    built,
    programs: () => Promise.resolve(built),
    stored: [],
    run: (code, { onProgress, packing }) => {
      codeService.ran.push(code);
      onProgress(2);
      if (built.packs) pack(packing, isFile(codeService.outcome));
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

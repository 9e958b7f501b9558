/** The worker that compiles and instruments, as the page sees it. It starts on use, and keeps the compiler. */
import { PROGRAM_LIMITS, problem } from "../../model/code/program";
import type {
  CompilerState,
  ProgramCode,
  ProgramProblem,
} from "../../model/code/program";
import { counted } from "../../model/shared/format";
import type { ProgramHooks } from "../../state/code/programService";
import type { Answer, Job, Made, Task, TrapPlace } from "./compilerMessages";
import { keptCompiler } from "./compilerFiles";

type Result = Made | ProgramProblem | undefined;

let worker: Worker | undefined;
let lastId = 0;

interface Waiting {
  readonly job: Job;
  /** Takes the answers of the worker, and its end. */
  readonly tell: (answer: Answer | ProgramProblem) => void;
}

/** The jobs of the worker, which does one after the other. */
const waiting = new Map<number, Waiting>();

/** Jobs of the worker that were cancelled. */
const cancelled = new Set<number>();

/** How long a job that nobody wants may hold up the others, in milliseconds. A usual compilation takes less. */
const GRACE_MS = 2000;

export function compilerState(): Promise<CompilerState> {
  return keptCompiler(document.baseURI);
}

export async function loadCompiler(
  hooks: ProgramHooks,
): Promise<ProgramProblem | undefined> {
  const result = await ask("load", hooks);
  return result && "stage" in result ? result : undefined;
}

/** Compiles, if it is a text, and instruments; `undefined` if it was aborted. */
export function makeProgram(
  code: ProgramCode,
  hooks: ProgramHooks,
): Promise<Result> {
  return ask(code, hooks);
}

/** `at` are places in the instrumented module, the innermost first. */
export function placeOfTrap(
  trapped: Uint8Array<ArrayBuffer>,
  at: readonly number[],
): Promise<TrapPlace> {
  return new Promise((resolve) => {
    const id = send({ trapped, at: Uint32Array.from(at) }, (answer) => {
      waiting.delete(id);
      resolve("place" in answer ? answer.place : {});
    });
  });
}

function ask(
  task: "load" | ProgramCode,
  { signal, onStep }: ProgramHooks,
): Promise<Result> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLoading = false;
    const end = (result: Result) => {
      signal.removeEventListener("abort", abort);
      resolve(result);
    };
    const settle = (result: Result) => {
      clearTimeout(timer);
      waiting.delete(id);
      cancelled.delete(id);
      end(result);
    };
    const abort = () => {
      clearTimeout(timer);
      cancelled.add(id);
      if (!isLoading) timer = setTimeout(() => drop(id), GRACE_MS);
      // A job that was not cancelled needs the compiler.
      else if ([...waiting.keys()].every((each) => cancelled.has(each)))
        stop(problem("load", "The download was cancelled."));
      end(undefined);
    };
    const id = send(task, (answer) => {
      if ("stage" in answer) settle(answer);
      else if ("step" in answer) {
        const { step } = answer;
        isLoading = step.what === "loading";
        if (signal.aborted) return;
        if (!isLoading)
          timer ??= setTimeout(
            () => drop(id),
            PROGRAM_LIMITS.compileSeconds * 1000,
          );
        onStep(step);
      } else if ("problem" in answer) settle(answer.problem);
      else if ("made" in answer) settle(answer.made);
    });
    signal.addEventListener("abort", abort);
  });
}

/** Returns the number of the job. */
function send(
  task: Task,
  tell: (answer: Answer | ProgramProblem) => void,
): number {
  const id = ++lastId;
  const job: Job = { id, base: document.baseURI, task };
  waiting.set(id, { job, tell });
  start().postMessage(job);
  return id;
}

/** Ends the worker for a job that takes too long. Another worker does the other jobs. */
function drop(id: number): void {
  const dropped = waiting.get(id);
  if (!dropped) return;
  waiting.delete(id);
  end();
  for (const { job } of waiting.values()) start().postMessage(job);
  const seconds = PROGRAM_LIMITS.compileSeconds;
  dropped.tell(
    problem(
      "compile",
      `Stopped after ${counted(seconds, "second")}: the compiler was not done.`,
    ),
  );
}

function start(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL("./compilerWorker.ts", import.meta.url), {
    type: "module",
  });
  worker.onmessage = ({ data }: MessageEvent<Answer>) =>
    waiting.get(data.id)?.tell(data);
  worker.onerror = (event) => {
    event.preventDefault();
    stop(problem("load", "The compiler could not start: reload the page."));
  };
  return worker;
}

/** Ends the worker, and all that wait for it. */
function stop(why: ProgramProblem): void {
  end();
  for (const { tell } of [...waiting.values()]) tell(why);
}

function end(): void {
  worker?.terminate();
  worker = undefined;
}

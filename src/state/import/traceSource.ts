/** Finds the trace of a link or of a saved run. */
import { EngineError } from "../../engine/engine";
import type { TraceLink } from "../../model/compare/savedRun";
import type { Carried } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { find } from "./keptActions";
import type { TraceSource } from "../replay/scene";
import { BUILT_IN_TRACES, builtInTrace } from "./traces";

export interface MissingTrace {
  /** Why the trace is missing, as the end of a sentence. */
  readonly missing: string;
  /** The code of the link that makes it, which runs only when the user asks. */
  readonly code?: string;
  /** The address that has it, which is fetched only when the user asks. */
  readonly address?: string;
  /** The engine has then rejected its workload. */
  readonly rejected?: EngineError;
}

/** Without a name, it is the first example. */
export async function findTrace(
  context: Context,
  { trace, workload, file, hash, data, address }: TraceLink & Carried,
): Promise<TraceSource | MissingTrace> {
  if (workload) {
    const { checkWorkload } = await import("../generate/actions");
    const { errors, accesses } = await checkWorkload(context, workload);
    const [error] = errors;
    if (!error) return { workload, accesses };
    const { code, message, at } = error;
    const rejected = new EngineError(code, message, at);
    return { missing: message, rejected };
  }
  if ((file ?? address) !== undefined) {
    const kept =
      hash === undefined
        ? { missing: "the link does not say which contents it had." }
        : await find(context, hash);
    if (!("missing" in kept)) return { kept };
    if (address !== undefined)
      return { missing: "it has to be fetched first.", address };
    if (file === undefined || data === undefined) return kept;
    const { unpackCarried } = await import("./carry");
    const carried = await unpackCarried(context, file, data);
    if ("code" in carried)
      return { missing: "its program has to run first.", ...carried };
    return carried;
  }
  const [first] = BUILT_IN_TRACES;
  const shipped = trace === undefined ? first : builtInTrace(trace);
  return shipped ? { shipped } : { missing: "Pagewalk no longer includes it." };
}

/** Which jobs of a session wait for which. */
import type { Call } from "./protocol";

/** What only the whole module can do. An import waits for it before it is enqueued. */
export function needsWhole({ type }: Call): boolean {
  return (
    type === "export" ||
    type === "workloads" ||
    type === "generate" ||
    type === "experiments" ||
    type === "attribution" ||
    type === "runWhole" ||
    type === "runRow" ||
    type === "analyse" ||
    type === "openPair" ||
    type === "experiment" ||
    type === "survey"
  );
}

/**
 * Whether a job may be done between two slices of another. Searches, timelines, experiments and surveys leave
 * the machine of the replay alone; a run works on the one that seeks move. A whole run, or a row of a sweep, has trace
 * and machine for itself, so that everything goes before it but another one; a question is put off for runs, too. So have two
 * machines side by side, but a new trace would end them.
 */
export function letsIn({ type }: Call, other: Call): boolean {
  if (type === "analyse") return other.type !== type;
  if (isWhole(type)) return !isWhole(other.type) && other.type !== "analyse";
  if (isOfPair(type))
    return (
      (other.type === "seekPair" && type !== "openPair") ||
      other.type === "seek" ||
      other.type === "run" ||
      other.type === "timeline" ||
      other.type === "find"
    );
  const isApart =
    type === "find" ||
    type === "timeline" ||
    type === "attribution" ||
    type === "experiment" ||
    type === "survey";
  return isApart && other.type === "seek";
}

function isWhole(type: Call["type"]): boolean {
  return type === "runWhole" || type === "runRow";
}

function isOfPair(type: Call["type"]): boolean {
  return (
    type === "openPair" ||
    type === "findDifference" ||
    type === "comparePair" ||
    type === "pairRegions"
  );
}

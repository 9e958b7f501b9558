/**
 * Which part of a trace is simulated, and which of that is counted.
 *
 * ```text
 * |── skip ──|── warmup ──|── limit ──| not simulated
 * ```
 */
import type { RunWindow } from "../../engine/generated/RunWindow";
import { count, counted } from "./format";
import type { Span } from "../timeline/counts";
import type { AccessIndex } from "./units";

/** The window of a given trace: accesses that are simulated but not counted come first. */
export interface RunSpan {
  readonly simulated: Span;
  readonly counted: Span;
}

/** For a trace of `n` accesses; the whole trace if there is no window. */
export function runSpan(window: RunWindow | undefined, n: number): RunSpan {
  const { skip = 0, warmup = 0, limit } = window ?? {};
  const from = Math.min(skip + warmup, n);
  const to = limit === undefined ? n : Math.min(from + limit, n);
  return {
    simulated: { from: Math.min(skip, n), to },
    counted: { from, to },
  };
}

/** The nearest simulated access. */
export function simulatedAt(
  { simulated }: RunSpan,
  access: AccessIndex,
): AccessIndex {
  return Math.max(simulated.from, Math.min(access, simulated.to - 1));
}

/** A window that counts `from` up to `to` (exclusive). All earlier accesses warm up, except skipped ones. */
export function windowOf(
  { from, to }: Span,
  n: number,
  before: RunWindow | undefined,
): RunWindow | undefined {
  const skip = Math.min(before?.skip ?? 0, from);
  if (skip === 0 && from === 0 && to >= n) return undefined;
  return { skip, warmup: from - skip, ...(to < n && { limit: to - from }) };
}

/** The borders of a window: skipping ends, counting starts, counting ends. */
export type Edge = "warm" | "count" | "end";

/** The position of a window's border. */
export function edgeAt({ simulated, counted }: RunSpan, edge: Edge): number {
  return { warm: simulated.from, count: counted.from, end: counted.to }[edge];
}

/** How far a border can move while the others stay. */
export function edgeBounds(
  { simulated, counted }: RunSpan,
  edge: Edge,
  n: number,
): { readonly least: AccessIndex; readonly most: AccessIndex } {
  switch (edge) {
    case "warm":
      return { least: 0, most: counted.from };
    case "count":
      return { least: simulated.from, most: counted.to - 1 };
    case "end":
      return { least: counted.from + 1, most: n };
  }
}

/** The window with a moved border; the others stay, and at least one access is counted. */
export function moveEdge(
  run: RunSpan,
  edge: Edge,
  to: AccessIndex,
  n: number,
): RunWindow | undefined {
  const { simulated, counted } = run;
  const { least, most } = edgeBounds(run, edge, n);
  const moved = Math.max(least, Math.min(Math.round(to), most));
  const warm = edge === "warm" ? moved : simulated.from;
  const from = edge === "count" ? moved : counted.from;
  const end = edge === "end" ? moved : counted.to;
  return plainWindow({
    skip: warm,
    warmup: from - warm,
    ...(end < n && { limit: end - from }),
  });
}

/** A window that covers the whole trace is no window. */
export function plainWindow(window: RunWindow): RunWindow | undefined {
  const isWhole =
    window.skip === 0 && window.warmup === 0 && window.limit === undefined;
  return isWhole ? undefined : window;
}

export interface WindowProblem {
  readonly field: keyof RunWindow;
  readonly message: string;
}

/** Why a trace of `n` accesses would have no counted access; `null` if it has some. */
export function windowProblem(
  { skip, warmup, limit }: RunWindow,
  n: number,
): WindowProblem | null {
  const has = `The trace has ${counted(n, "access", "accesses")}`;
  if (skip >= n) return { field: "skip", message: `${has}: skip fewer.` };
  if (skip + warmup >= n)
    return {
      field: "warmup",
      message: `${has}; after the skip ${count(n - skip)} are left: warm up with fewer, so that some are counted.`,
    };
  if (limit === 0)
    return { field: "limit", message: "Count at least one access." };
  return null;
}

/** The counted part: `29,000 of 300,770 counted`. */
export function countedText(window: RunWindow, n: number): string {
  const { from, to } = runSpan(window, n).counted;
  return `${count(to - from)} of ${count(n)} counted`;
}

/** The parts of a window, one line each. */
export function windowLines(window: RunWindow, n: number): string[] {
  const { simulated, counted: inside } = runSpan(window, n);
  const part = (size: number, what: string) =>
    size > 0 ? [`${counted(size, "access", "accesses")} ${what}`] : [];
  return [
    ...part(simulated.from, "skipped: not simulated"),
    ...part(inside.from - simulated.from, "to warm up: simulated, not counted"),
    ...part(inside.to - inside.from, "counted"),
    ...part(n - inside.to, "after that: not simulated"),
  ];
}

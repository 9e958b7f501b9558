/** Looks up what a student may know before the access of a question. */
import type { Engine } from "../../engine/calls";
import type { Posed } from "../../engine/generated/Posed";
import type { MachineView } from "../../engine/generated/MachineView";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { StepView } from "../../engine/generated/StepView";
import {
  lastUses,
  mappedFirst,
  MOST_KNOWN,
  nearest,
  needsOf,
  tableBefore,
  traceLines,
} from "../../model/exercise/known";
import type {
  KnownAccess,
  KnownPages,
  Needs,
  TraceLine,
} from "../../model/exercise/known";
import { smallestPage } from "../../model/config/defaults";
import { pageSize } from "../../model/shared/format";
import type { Context } from "../context";
import { withExercise } from "./session";
import type { OpenExercise } from "./session";

export interface Known {
  readonly needs: Needs;
  /** The last accesses up to that of the question, which is among them. */
  readonly accesses: readonly KnownAccess[];
  /** The number of accesses before these. */
  readonly earlier: number;
  readonly pages: readonly KnownPages[];
  /** The number of mapped pages that are not listed. */
  readonly others: number;
}

/** The lines of a trace; they stay as long as it is open. */
const read = new WeakMap<
  OpenExercise["whole"],
  Promise<readonly TraceLine[]>
>();

function linesOf({ engine, whole }: OpenExercise) {
  const found = read.get(whole);
  if (found) return found;
  const lines = engine
    .start("export", { format: "csv" })
    .then(({ file }) => file.text())
    .then(traceLines);
  read.set(whole, lines);
  lines.catch(() => read.delete(whole));
  return lines;
}

export function knownBefore(
  context: Context,
  text: string,
  posed: Posed,
): Promise<Known> {
  return withExercise(context, text, (open) => lookedUp(open, posed));
}

async function lookedUp(open: OpenExercise, posed: Posed): Promise<Known> {
  const { engine, view } = open;
  const step = await stepAt(engine, posed.at);
  const needs = needsOf(posed.ask, step);
  const accesses = needs.accesses ? await accessesUntil(open, posed.at) : [];
  const { pages, others } = needs.pages
    ? await pagesBefore(open, step, view.os, needs.frames)
    : { pages: [], others: 0 };
  const earlier = Math.max(0, posed.at + 1 - MOST_KNOWN);
  return { needs, accesses, earlier, pages, others };
}

/** The last accesses up to one, which is among them. */
export async function accessesUntil(
  { engine, machine }: OpenExercise,
  last: number,
): Promise<readonly KnownAccess[]> {
  const accesses: KnownAccess[] = [];
  for (let at = Math.max(0, last + 1 - MOST_KNOWN); at <= last; at++)
    accesses.push(accessOf(await stepAt(engine, at), machine));
  return accesses;
}

async function stepAt(engine: Engine, index: number): Promise<StepView> {
  return (await engine.call("seek", { index })).step;
}

function accessOf(step: StepView, { offset_bits }: MachineView): KnownAccess {
  const { index, access, translations } = step;
  const address = BigInt(access.address);
  const shift = translations[0]?.page_shift ?? offset_bits;
  return {
    at: index,
    kind: access.kind,
    address,
    page: address >> BigInt(shift),
  };
}

export async function pagesBefore(
  open: OpenExercise,
  step: StepView,
  os: OsConfig,
  withFrames: boolean,
): Promise<Pick<Known, "pages" | "others">> {
  const { engine, machine, view } = open;
  const shift = machine.offset_bits;
  const uses = lastUses(await linesOf(open), step.index, shift);
  const own = BigInt(step.access.address) >> BigInt(shift);
  const near = nearest(uses.keys(), own);
  const used = new Map<string, KnownPages>();
  const add = (of: StepView, at: number) => {
    for (const { page_number, page_shift, frame } of of.translations)
      used.set(`${page_number} ${page_shift}`, {
        page: BigInt(page_number),
        count: 1,
        size: pageSize(page_shift),
        usedAt: at,
        ...(withFrames && { frame: BigInt(frame) }),
      });
  };
  for (const at of new Set(near.map((page) => uses.get(page) ?? 0)))
    add(await stepAt(engine, at), at);
  // The page of the access itself may have been mapped without a use.
  if (step.outcome !== "fault" && step.outcome !== "exception")
    add(step, step.index - 1);
  const first = mappedFirst(os, smallestPage(view.machine)).map(
    ({ frame, ...rest }) => (withFrames ? { ...rest, frame } : rest),
  );
  return {
    pages: tableBefore(first, [...used.values()]),
    others: uses.size - near.length,
  };
}

export function knownActions(context: Context) {
  return {
    known: (text: string, posed: Posed) => knownBefore(context, text, posed),
  };
}

export type KnownActions = ReturnType<typeof knownActions>;

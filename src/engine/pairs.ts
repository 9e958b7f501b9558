/**
 * Two machines side by side on the current trace. They have replays of their own, in the session of the
 * trace if that can have them, else in one with a copy of it, which is kept while they are compared.
 */
import type { PairView } from "./engine";
import type { AttributionTable } from "./generated/AttributionTable";
import type { LockstepView } from "./generated/LockstepView";
import type { MachineView } from "./generated/MachineView";
import type { RunReport } from "./generated/RunReport";
import type { StepView } from "./generated/StepView";
import { EngineError } from "./engine";
import { copyTrace, slicer } from "./jobs";
import type { Slices } from "./jobs";
import type { Call } from "./protocol";
import type { FirstSession, WasmModule, WasmSession } from "./wasm";

export class Pairs {
  #session: WasmSession | undefined;
  #isCopy = false;

  /** Both whole runs; on failure nothing is compared any more. */
  *open(
    { module, session }: { module: WasmModule; session: WasmSession },
    current: FirstSession,
    { left, right }: Call<"openPair">,
  ): Slices<PairView> {
    if (!this.#session) {
      this.#isCopy = session !== current;
      this.#session = this.#isCopy ? module.newSession() : session;
      if (this.#isCopy) copyTrace(current, this.#session);
    }
    const pair = this.#session;
    const machines = JSON.parse(
      pair.beginPair(JSON.stringify(left), JSON.stringify(right)),
    ) as MachineView[];
    const slices = slicer();
    let done = 0;
    const more = (size: number) => {
      done += size;
      return pair.pairSlice(size);
    };
    while (!slices.slice(more)) yield { done, unit: "accesses" };
    const reports = JSON.parse(pair.pairReports()) as RunReport[];
    return { machines: two(machines), reports: two(reports) };
  }

  seek({
    index,
  }: Call<"seekPair">): readonly [StepView | null, StepView | null] {
    return two(JSON.parse(this.#open().pairSeek(index)) as (StepView | null)[]);
  }

  *find({ index, direction }: Call<"findDifference">): Slices<number | null> {
    const pair = this.#open();
    pair.beginDifference(index, direction);
    for (;;) {
      const found = pair.differenceSlice();
      if (found !== undefined) return found;
      yield undefined;
    }
  }

  *compare({ bins }: Call<"comparePair">): Slices<LockstepView> {
    const pair = this.#open();
    const slices = slicer();
    let done = 0;
    pair.beginLockstep(bins);
    const more = (size: number) => {
      done += size;
      return pair.lockstepSlice(size);
    };
    while (!slices.slice(more)) yield { done, unit: "accesses" };
    return JSON.parse(pair.finishLockstep()) as LockstepView;
  }

  *regions(): Slices<readonly [AttributionTable, AttributionTable]> {
    const pair = this.#open();
    const slices = slicer();
    pair.beginPairRegions();
    while (!slices.slice((size) => pair.pairRegionsSlice(size)))
      yield undefined;
    return two(JSON.parse(pair.finishPairRegions()) as AttributionTable[]);
  }

  /** Nothing is compared any more: the trace changes. */
  close(): void {
    this.#session?.endPair();
    if (this.#isCopy) this.#session?.free();
    this.#session = undefined;
  }

  #open(): WasmSession {
    if (this.#session) return this.#session;
    throw new EngineError(
      "cancelled",
      "The trace that was compared is closed.",
    );
  }
}

function two<T>(items: readonly T[]): readonly [T, T] {
  const [left, right] = items;
  if (left === undefined || right === undefined)
    throw new Error("A pair has two sides.");
  return [left, right];
}

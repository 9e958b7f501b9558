/** What is asked beside the replay: another machine, other pages; and how far the answers are. */
import type { Kind } from "../../engine/generated/Kind";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { Question } from "../../engine/generated/Question";
import type { RunReport } from "../../engine/generated/RunReport";
import type { TraceView } from "../../engine/generated/TraceView";
import { withDefaults } from "../config/defaults";
import { applyPatch, patchFrom, same } from "../shared/mergePatch";
import type { Json } from "../shared/mergePatch";
import type { SweepAxis } from "./sweep";
import type { Share } from "../shared/units";

/** How far an answer is. */
export type Asked<T> =
  | { readonly status: "running"; readonly done: Share }
  | { readonly status: "done"; readonly value: T }
  | { readonly status: "failed"; readonly why: string }
  | { readonly status: "cancelled" };

/** Which accesses the curves are of. */
export type WhatIfKinds = "data" | "fetch" | "all";

export const KINDS: Readonly<Record<WhatIfKinds, readonly Kind[]>> = {
  data: ["load", "store"],
  fetch: ["fetch"],
  all: ["fetch", "load", "store"],
};

/** What is other than in the configuration of the replay. */
export interface WhatIfChange {
  /** The CPU model that it is a change of: of another it says nothing. */
  readonly cpu: string;
  /** Merge patch to the machine. */
  readonly machine?: Json;
  readonly os?: OsConfig;
}

/** What is looked at; a link has it. */
export interface WhatIfView {
  readonly kinds: WhatIfKinds;
  /** The structure that is changed, `l2[0]`; missing = the last level. */
  readonly structure?: string;
  /** The pages that are advised; missing = those that one entry of a second-lowest table maps. */
  readonly huge?: PageSize;
  /** What is swept. */
  readonly sweep?: readonly SweepAxis[];
  readonly change?: WhatIfChange;
}

export interface WhatIfState {
  /** What the answers are about; of another trace they are forgotten. */
  readonly trace: TraceView | undefined;
  /** By `keyOf` the question. */
  readonly answers: Readonly<Record<string, Asked<unknown>>>;
  /** Runs of other machines, by `keyOf` the setup. */
  readonly runs: Readonly<Record<string, Asked<RunReport>>>;
  readonly view: WhatIfView;
  /** Changes to go back to, the newest last; `undefined` is the machine itself. */
  readonly past: readonly (WhatIfChange | undefined)[];
  /** The slider that is being moved: its steps are undone together. */
  readonly moving: string | undefined;
}

export const NO_WHAT_IF: WhatIfState = {
  trace: undefined,
  answers: {},
  runs: {},
  view: { kinds: "data" },
  past: [],
  moving: undefined,
};

/** Equal questions and equal setups have equal keys. */
export function keyOf(asked: Question | object): string {
  return JSON.stringify(asked);
}

interface MachineAndOs {
  readonly machine: MachineConfig;
  readonly os: OsConfig;
}

/** The setup with the change, if that is of this CPU. */
export function changed<S extends MachineAndOs>(
  setup: S,
  cpu: string,
  change: WhatIfChange | undefined,
): S {
  if (!change || change.cpu !== cpu) return setup;
  const { machine, os } = change;
  return {
    ...setup,
    ...(machine !== undefined && {
      machine: withDefaults(applyPatch(setup.machine, machine)),
    }),
    ...(os && { os }),
  };
}

/** The change that makes one setup of another; `undefined` if they are the same. */
export function changeOf(
  from: MachineAndOs,
  to: MachineAndOs,
  cpu: string,
): WhatIfChange | undefined {
  const machine = patchFrom(from.machine, to.machine);
  const isOs = !same(from.os, to.os);
  if (machine === undefined && !isOs) return undefined;
  return {
    cpu,
    ...(machine !== undefined && { machine }),
    ...(isOs && { os: to.os }),
  };
}

/** A view as text of a link; `undefined` where it is as the screen opens by itself. */
export function writeWhatIf(view: WhatIfView): string | undefined {
  const { kinds, structure, huge, sweep, change } = view;
  const shown = {
    ...(kinds !== "data" && { kinds }),
    ...(structure !== undefined && { structure }),
    ...(huge !== undefined && { huge }),
    ...(sweep && { sweep: sweep.map(({ field, values }) => [field, values]) }),
    ...(change && { change }),
  };
  return Object.keys(shown).length === 0 ? undefined : JSON.stringify(shown);
}

/** Reads what `writeWhatIf` wrote. Throws an `Error` that says what is wrong. */
export function readWhatIf(text: string): WhatIfView {
  let json: Json;
  try {
    // JSON.parse gives JSON.
    json = JSON.parse(text) as Json;
  } catch {
    throw new Error("“whatif” is no JSON; was the link cut short?");
  }
  const { kinds, structure, huge, sweep, change } = object(json, "whatif");
  const known = (["data", "fetch", "all"] as const).find((k) => k === kinds);
  if (kinds !== undefined && known === undefined)
    throw new Error("“kinds” of “whatif” must be data, fetch, all.");
  if (structure !== undefined && typeof structure !== "string")
    throw new Error("“structure” of “whatif” must be a name.");
  if (huge !== undefined && typeof huge !== "string")
    throw new Error("“huge” of “whatif” must be a page size.");
  return {
    kinds: known ?? "data",
    ...(structure !== undefined && { structure }),
    ...(huge !== undefined && { huge }),
    ...(sweep !== undefined && { sweep: readSweep(sweep) }),
    ...(change !== undefined && { change: readChange(change) }),
  };
}

function readSweep(json: Json): readonly SweepAxis[] {
  const axes: readonly unknown[] = Array.isArray(json) ? json : [undefined];
  return axes.map((axis) => {
    // What is in a list of JSON is JSON.
    const list = (Array.isArray(axis) ? axis : []) as readonly Json[];
    const [field, values] = list;
    if (typeof field !== "string" || typeof values !== "string")
      throw new Error(
        "“sweep” of “whatif” must be a list of fields, each with its values.",
      );
    return { field, values };
  });
}

function readChange(json: Json): WhatIfChange {
  const { cpu, machine, os } = object(json, "change");
  if (typeof cpu !== "string")
    throw new Error("“cpu” of “change” must be the id of a CPU model.");
  return {
    cpu,
    ...(machine !== undefined && { machine }),
    // The core checks the fields before it runs them.
    ...(os !== undefined && { os: object(os, "os") as unknown as OsConfig }),
  };
}

function object(json: Json, name: string): Record<string, Json | undefined> {
  if (typeof json === "object" && json !== null && !Array.isArray(json))
    return json as Record<string, Json | undefined>;
  throw new Error(`“${name}” must be a JSON object.`);
}

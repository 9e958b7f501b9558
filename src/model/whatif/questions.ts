/**
 * The questions of the what-if screen, about other machines and other pages, and the state of their answers.
 */
import { SERVED_KINDS } from "../../engine/generated/words";
import type { Kind } from "../../engine/generated/Kind";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { Question } from "../../engine/generated/Question";
import type { RunReport } from "../../engine/generated/RunReport";
import type { TraceView } from "../../engine/generated/TraceView";
import { withDefaults } from "../config/defaults";
import { applyPatch, patchFrom, same } from "../shared/mergePatch";
import { parseJson } from "../permalink/words";
import type { Json } from "../shared/mergePatch";
import type { SweepAxis } from "./sweep";
import type { Share } from "../shared/units";

/** The state of an answer. */
export type Asked<T> =
  | { readonly status: "running"; readonly done: Share }
  | { readonly status: "done"; readonly value: T }
  | { readonly status: "failed"; readonly why: string }
  | { readonly status: "cancelled" };

/** The answer, if it is there. */
export function valueOf<T>(asked: Asked<T> | undefined): T | undefined {
  return asked?.status === "done" ? asked.value : undefined;
}

/** The accesses that the curves can count. */
export const KIND_CHOICES = ["data", "fetch", "all"] as const;

export type WhatIfKinds = (typeof KIND_CHOICES)[number];

export const KINDS: Readonly<Record<WhatIfKinds, readonly Kind[]>> = {
  data: ["load", "store"],
  fetch: ["fetch"],
  all: SERVED_KINDS,
};

/** The change to the replay's configuration. */
export interface WhatIfChange {
  /** The CPU model that the change applies to; it has no meaning for another model. */
  readonly cpu: string;
  /** The merge patch to the machine. */
  readonly machine?: Json;
  readonly os?: OsConfig;
}

/** The view of the screen, stored in a link. */
export interface WhatIfView {
  readonly kinds: WhatIfKinds;
  /** The structure that is changed, `l2[0]`; missing = the last level. */
  readonly structure?: string;
  /** The huge page size of the advice; missing = the size of a second-lowest table's entries. */
  readonly huge?: PageSize;
  /** Whether the interval of the cycles stands beside them. */
  readonly interval?: true | undefined;
  /** The sweep. */
  readonly sweep?: readonly SweepAxis[];
  readonly change?: WhatIfChange;
}

export interface WhatIfState {
  /** The trace and window of the answers; other answers are discarded. */
  readonly trace: TraceView | undefined;
  /** Answers by `keyOf` the question. */
  readonly answers: Readonly<Record<string, Asked<unknown>>>;
  /** Runs of other machines, by `keyOf` the setup. */
  readonly runs: Readonly<Record<string, Asked<RunReport>>>;
  readonly view: WhatIfView;
  /** Earlier changes for undo, newest last; `undefined` is the machine itself. */
  readonly past: readonly (WhatIfChange | undefined)[];
  /** Undone changes for redo, the next one first. */
  readonly future: readonly (WhatIfChange | undefined)[];
  /** The slider in motion: its steps are undone together. */
  readonly moving: string | undefined;
}

export const NO_WHAT_IF: WhatIfState = {
  trace: undefined,
  answers: {},
  runs: {},
  view: { kinds: "data" },
  past: [],
  future: [],
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

/** The setup with the change applied, if the change is for this CPU. */
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

/** The change that turns one setup into another; `undefined` if they are equal. */
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

/** A view as text in a link; `undefined` for the default view. */
export function writeWhatIf(view: WhatIfView): string | undefined {
  const { kinds, structure, huge, interval, sweep, change } = view;
  const shown = {
    ...(kinds !== "data" && { kinds }),
    ...(structure !== undefined && { structure }),
    ...(huge !== undefined && { huge }),
    ...(interval && { interval }),
    ...(sweep && { sweep: sweep.map(({ field, values }) => [field, values]) }),
    ...(change && { change }),
  };
  return Object.keys(shown).length === 0 ? undefined : JSON.stringify(shown);
}

/** Reads the text of `writeWhatIf`. Throws an `Error` that says what is wrong. */
export function readWhatIf(text: string): WhatIfView {
  const json = parseJson("whatif", text);
  const { kinds, structure, huge, interval, sweep, change } = object(
    json,
    "whatif",
  );
  const known = KIND_CHOICES.find((choice) => choice === kinds);
  if (kinds !== undefined && known === undefined)
    throw new Error(`“kinds” of “whatif” must be ${KIND_CHOICES.join(", ")}.`);
  if (structure !== undefined && typeof structure !== "string")
    throw new Error("“structure” of “whatif” must be a name.");
  if (huge !== undefined && typeof huge !== "string")
    throw new Error("“huge” of “whatif” must be a page size.");
  if (interval !== undefined && interval !== true)
    throw new Error("“interval” of “whatif” must be true, or missing.");
  return {
    kinds: known ?? "data",
    ...(structure !== undefined && { structure }),
    ...(huge !== undefined && { huge }),
    ...(interval && { interval }),
    ...(sweep !== undefined && { sweep: readSweep(sweep) }),
    ...(change !== undefined && { change: readChange(change) }),
  };
}

function readSweep(json: Json): readonly SweepAxis[] {
  const axes: readonly unknown[] = Array.isArray(json) ? json : [undefined];
  return axes.map((axis) => {
    // Elements of a JSON list are JSON values.
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

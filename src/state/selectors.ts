/** Values for the views that are derived from the store. */
import { writeBuild } from "../model/code/writeBuild";
import type { Carried, Permalink } from "../model/permalink/permalink";
import { machinePatch } from "../model/permalink/permalink";
import type { TraceLink } from "../model/compare/savedRun";
import { same } from "../model/shared/mergePatch";
import { findSaved } from "../model/config/savedMachine";
import { walkCachesBefore } from "../model/config/walkCaches";
import { ALL_SAMPLES } from "../model/samples/state";
import { writeWhatIf } from "../model/whatif/questions";
import { modelOf } from "./config/configurations";
import type { TraceView } from "../engine/generated/TraceView";
import { coreOf } from "./replay/core";
import type { AppState } from "./store";

/** Returns whether the machine differs from its CPU model. */
export const isCustom = memo(
  ({ cpus, configuration }) => [cpus, configuration] as const,
  (cpus, configuration): boolean => {
    if (!configuration) return false;
    const model = modelOf({ cpus }, configuration.cpu);
    return !same(model?.machine, configuration.setup.machine);
  },
);

/** Returns whether the machine is neither that of its CPU model nor a saved one. */
export const isEdited = memo(
  (state) =>
    [isCustom(state), state.configuration, state.machines.list] as const,
  (custom, configuration, saved = []): boolean =>
    custom && !(configuration && findSaved(saved, configuration.setup.machine)),
);

/** The walk caches that turning them on restores; `undefined` if the machine never had any. */
export const restorableCaches = memo(
  ({ cpus, configuration, past }) => [cpus, configuration, past] as const,
  (cpus, configuration, past) => {
    if (!configuration) return undefined;
    const { cpu, setup } = configuration;
    const model = modelOf({ cpus }, cpu);
    return walkCachesBefore(past, cpu, model?.machine, setup.machine);
  },
);

/** The trace whose samples are shown: the open one, or else the example. */
export function sampledTrace({
  trace,
  samplesExample,
}: AppState): TraceView | undefined {
  if (trace?.samples !== undefined) return trace;
  return samplesExample === "failed" ? undefined : samplesExample;
}

/**
 * Returns whether the replay shows samples without the user's request; there is no request without samples.
 */
export function isGated({ trace, asConsecutive }: AppState): boolean {
  if (trace?.samples === undefined) return false;
  return asConsecutive !== trace || trace.n_accesses === 0;
}

/** The link to what is on the screen. */
export function permalink(state: AppState): Permalink {
  // The first screen belongs to the address of the site.
  if (state.welcome) return {};
  const view = state.choices[state.screen] ?? {};
  const isUsual = Object.keys(view).length === 0;
  return {
    ...screenLink(state),
    ...(state.projector && { projector: true as const }),
    ...(state.plain && { plain: true as const }),
    ...(!isUsual && { view }),
  };
}

function screenLink(state: AppState): Permalink {
  const { screen, experiment } = state;
  if (screen === "replay") return { ...state.back, ...replayLink(state) };
  if (screen === "learn")
    return { screen, ...(state.exercise?.link ?? state.learn?.at) };
  if (screen === "what-if") {
    const { view } = state.whatIf;
    const isUsual = writeWhatIf(view) === undefined;
    return { screen, ...replayLink(state), ...(!isUsual && { whatIf: view }) };
  }
  if (screen === "compare") return compareLink(state);
  // The counters are compared with the replay, so its link is included.
  if (screen === "samples") {
    const { surveyChoice: samples } = state;
    const isUsual = same({ ...samples }, { ...ALL_SAMPLES });
    return { screen, ...(!isUsual && { samples }), ...replayLink(state) };
  }
  if (screen === "measured")
    return { screen, ...measuredLink(state), ...replayLink(state) };
  if (screen === "measure") return { screen };
  if (screen === "code")
    return { screen, ...codeLink(state), ...codeReplay(state) };
  if (screen === "glossary") {
    const { term } = state;
    return { screen, ...(term !== undefined && { term }) };
  }
  return { screen, ...(experiment !== undefined && { experiment }) };
}

/** The code, if it is short enough for a link. */
function codeLink({ codeScreen }: AppState): Permalink {
  const [first, second] = codeScreen?.programs ?? [];
  if (first?.packed === undefined) return {};
  return {
    program: first.name,
    code: first.packed,
    ...(first.build && { build: writeBuild(first.build) }),
    ...(second?.packed !== undefined && {
      program2: second.name,
      code2: second.packed,
      ...(second.build && { build2: writeBuild(second.build) }),
    }),
  };
}

/** The output of perf stat, if it is short enough for a link. */
function measuredLink({ measured }: AppState): Permalink {
  if (measured?.packed === undefined) return {};
  const { name: statName, packed: stat, family } = measured;
  return { stat, statName, ...(family && { family }) };
}

/** The replay's part of a program's link. Its trace is not named, since its code makes it again. */
export function codeReplay(state: AppState): Permalink {
  const link = replayLink(state);
  if (!["loop", "code"].includes(state.trace?.import.format ?? "")) return link;
  return without(link, [
    "file",
    "hash",
    "data",
    "address",
    "access",
    "window",
    "only",
    "structure",
    "core",
  ]);
}

/** The replay's part of a link. */
export function replayPart(link: Permalink): Permalink {
  return without(link, [
    "screen",
    "whatIf",
    "term",
    "lesson",
    "step",
    "exercise",
    "grade",
    "program",
    "code",
    "build",
    "program2",
    "code2",
    "build2",
    "compare",
    "right",
    "view",
    "projector",
    "plain",
    "stat",
    "statName",
    "family",
    "samples",
  ]);
}

function without(
  link: Permalink,
  keys: readonly (keyof Permalink)[],
): Permalink {
  const rest: { -readonly [K in keyof Permalink]: Permalink[K] } = { ...link };
  for (const key of keys) Reflect.deleteProperty(rest, key);
  return rest;
}

/** The link to the replay, also while another screen is shown. */
export function replayLink(state: AppState): Permalink {
  const { trace, configuration, cursor, window, only, pinned } = state;
  if (!trace || !configuration) return {};
  const { cpu, setup } = configuration;
  const core = coreOf(state);
  const model = modelOf(state, cpu);
  const machine = model && machinePatch(model.machine, setup.machine);
  const isWhole = window.from === 0 && window.to === trace.n_accesses;
  return {
    ...source(state, trace.name),
    cpu,
    ...(machine !== undefined && { machine }),
    // A link without a mapping has that of the model.
    ...(!same(model?.os, setup.os) && { os: setup.os }),
    ...(setup.cores && setup.cores !== "one" && { cores: setup.cores }),
    ...(setup.window && { count: setup.window }),
    access: cursor,
    ...(!isWhole && window.to > 0 && { window }),
    ...(only?.trace === trace && { only: only.filter }),
    ...(pinned &&
      pinned.machine === state.machine && { structure: pinned.structure }),
    ...(core !== undefined && { core }),
  };
}

/** The link to the replay in the state in which its screen opens again. */
export function replayPage(state: AppState): Permalink {
  return permalink({ ...state, screen: "replay", welcome: false });
}

/** The link to the comparison: both machines, at the current access. */
function compareLink(state: AppState): Permalink {
  const { part, right, at, pair } = state.compare;
  return {
    screen: "compare",
    ...replayLink(state),
    ...(right && { right }),
    ...(part !== "pair" && { compare: part }),
    ...(pair && pair.trace === state.trace && { access: at }),
  };
}

/** Where the open trace can be found again, if it is still kept. */
export function traceLink(state: AppState): TraceLink {
  return source({ ...state, carried: undefined }, state.trace?.name ?? "");
}

function source(
  { builtIn, workload, hash, carried }: AppState,
  name: string,
): TraceLink & Carried {
  if (workload) return { workload };
  if (builtIn !== undefined) return { trace: builtIn };
  return {
    file: name,
    ...(hash !== undefined && { hash }),
    ...carried,
  };
}

/** Keeps the last result for the same inputs, so that views do not redraw without need. */
function memo<K extends unknown[], T>(
  inputs: (state: AppState) => readonly [...K],
  compute: (...inputs: K) => T,
): (state: AppState) => T {
  let last: { key: readonly [...K]; result: T } | undefined;
  return (state) => {
    const key = inputs(state);
    const known = last?.key.every((input, i) => input === key[i]);
    if (last && known) return last.result;
    const result = compute(...key);
    last = { key, result };
    return result;
  };
}

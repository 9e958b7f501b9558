/**
 * The link to what is on the screen: trace, machine, mapping and position, in the part of the URL after `#`.
 * The machine is written as its CPU model and the changes to it.
 */
import { DEFAULT_OS } from "../../engine/generated/defaults";
import type { Cores } from "../../engine/generated/Cores";
import type { EventFamily } from "../../engine/generated/EventFamily";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { RunWindow } from "../../engine/generated/RunWindow";
import type { AttributionFilter } from "../attribution/rows";
import { EVENT_FAMILIES } from "../../engine/generated/eventFamilies";
import { CORES, VIRTS } from "../../engine/generated/words";
import { mappingWithDefaults, withDefaults } from "../config/defaults";
import { AS_RECORDED, isAsRecorded } from "../config/pagePolicies";
import { count, counted } from "../shared/format";
import { applyPatch, patchFrom, same } from "../shared/mergePatch";
import type { Json } from "../shared/mergePatch";
import {
  escape,
  nameOf,
  oneOf,
  parseCount,
  parseJson,
  parseOnly,
  parseSamples,
  parseWindow,
  wholeNumber,
  writeSamples,
} from "./words";
import type { SurveyChoice } from "../samples/state";
import { readChoices, writeChoices } from "./viewChoices";
import type { ViewChoices } from "./viewChoices";
import { readWhatIf, writeWhatIf } from "../whatif/questions";
import type { WhatIfView } from "../whatif/questions";
import { readWorkload, writeWorkload } from "../generate/workload";
import type { WorkloadChoice } from "../generate/workload";

/** The screens, in the order of the navigation. */
export const SCREENS = [
  "learn",
  "replay",
  "code",
  "what-if",
  "compare",
  "experiments",
  "samples",
  "measured",
  "measure",
  "glossary",
] as const;

export type Screen = (typeof SCREENS)[number];

/** Everything is optional: what a link omits keeps its default. */
export interface Permalink {
  /** Missing = the replay. */
  readonly screen?: Screen;
  /** The id of the open experiment. */
  readonly experiment?: string;
  /** The id of a term of the glossary. */
  readonly term?: string;
  /** The id of a lesson, and its step, from 1: what the screen shows, or where the replay leads back to. */
  readonly lesson?: string;
  readonly step?: number;
  /** An exercise for a student, or the one whose answers are graded; empty = none yet. */
  readonly exercise?: string;
  readonly grade?: string;
  /** The name of the program on the screen Code. */
  readonly program?: string;
  /** The code of the program, compressed. */
  readonly code?: string;
  /** How it is compiled, as `writeBuild` says it; missing for JavaScript. */
  readonly build?: string;
  /** The program next to it. */
  readonly program2?: string;
  readonly code2?: string;
  readonly build2?: string;
  /** The output of perf stat, compressed, and its name. */
  readonly stat?: string;
  readonly statName?: string;
  /** The processor family that the user chose for the events. */
  readonly family?: EventFamily;
  /** The filter of samples, if it is not all. */
  readonly samples?: SurveyChoice;
  /** The id of an example trace. */
  readonly trace?: string;
  /** The address of a trace on this site or another one. */
  readonly address?: string;
  /** The name of an imported file. */
  readonly file?: string;
  /** A hash of the file's contents: if the browser keeps the trace, it can be opened. */
  readonly hash?: string;
  /** The file itself, or the program that makes it, if that fits a link. */
  readonly data?: string;
  /** A generated trace. */
  readonly workload?: WorkloadChoice;
  /** The id of a CPU model. */
  readonly cpu?: string;
  /** The merge patch to the model's machine. */
  readonly machine?: Json;
  readonly os?: OsConfig;
  /** What gets its own core. */
  readonly cores?: Cores;
  /** The simulated and counted part of the trace. */
  readonly count?: RunWindow;
  /** The right machine of the comparison screen. */
  readonly right?: Pick<Permalink, "cpu" | "machine" | "os">;
  /** The part of the comparison screen; missing = the two machines. */
  readonly compare?: "models" | "saved";
  /** The access, from 0. */
  readonly access?: number;
  /** The window of the timeline; `to` is exclusive. */
  readonly window?: { readonly from: number; readonly to: number };
  /** The accesses that the timeline is limited to. */
  readonly only?: AttributionFilter;
  /** The number of the shown structure, if it does not follow the access. */
  readonly structure?: number;
  /** The thread or processor of the shown core, if it does not follow the access. */
  readonly core?: number;
  /** Larger text for a lecture hall. */
  readonly projector?: true;
  /** Without details that a beginner does not need; missing = as the reader has it. */
  readonly plain?: true;
  /** Choices of the views that differ from their defaults. */
  readonly view?: ViewChoices;
  /** Choices of the what-if screen that differ from its defaults. */
  readonly whatIf?: WhatIfView;
}

/** How others get an imported trace: from the link itself, or from an address. */
export type Carried = Pick<Permalink, "data" | "address">;

/** The changes to the machine of a CPU model; `undefined` if there are none. */
export function machinePatch(
  model: MachineConfig,
  machine: MachineConfig,
): Json | undefined {
  return patchFrom(model, machine);
}

export function patchedMachine(
  model: MachineConfig,
  patch: Json | undefined,
): MachineConfig {
  if (patch === undefined) return model;
  return withDefaults(applyPatch(model, patch));
}

/** Returns the page size or policy of all memory, and that of a host; `undefined` if the mapping says more. */
export function plainMapping(os: OsConfig) {
  const { default: pages, virt, host } = os;
  const plain = {
    ...DEFAULT_OS,
    default: pages,
    ...(virt && { virt }),
    ...(host && { host: { ...DEFAULT_OS, default: host.default } }),
    ...(isAsRecorded(os) && { map: os.map }),
  };
  const word = isAsRecorded(os) ? AS_RECORDED : pages;
  return same(os, plain)
    ? { pages: word, virt, host: host?.default }
    : undefined;
}

export function encodePermalink(link: Permalink): string {
  const parts: [string, string][] = [];
  const put = (key: string, value: string | number | undefined) => {
    if (value !== undefined) parts.push([key, String(value)]);
  };
  put("screen", link.screen);
  put("experiment", link.experiment);
  put("term", link.term);
  put("lesson", link.lesson);
  put("step", link.step);
  put("exercise", link.exercise);
  put("grade", link.grade);
  put("program", link.program);
  put("code", link.code);
  put("build", link.build);
  put("program2", link.program2);
  put("code2", link.code2);
  put("build2", link.build2);
  put("stat", link.stat);
  put("stat-name", link.statName);
  put("family", link.family);
  if (link.samples) put("samples", writeSamples(link.samples));
  put("trace", link.trace ?? link.address);
  put("file", link.file);
  put("hash", link.hash);
  put("data", link.data);
  if (link.workload) put("workload", writeWorkload(link.workload));
  put("cpu", link.cpu);
  if (link.machine !== undefined) put("machine", JSON.stringify(link.machine));
  if (link.os) {
    const plain = plainMapping(link.os);
    if (plain) {
      put("pages", plain.pages);
      put("virt", plain.virt);
      put("host", plain.host);
    } else put("os", JSON.stringify(link.os));
  }
  put("cores", link.cores);
  if (link.count) {
    const { skip, warmup, limit } = link.count;
    put(
      "count",
      [skip, warmup, ...(limit === undefined ? [] : [limit])].join(),
    );
  }
  if (link.right) put("right", encodePermalink(link.right));
  put("compare", link.compare);
  put("access", link.access);
  if (link.whatIf) put("whatif", writeWhatIf(link.whatIf));
  if (link.window) put("window", `${link.window.from}-${link.window.to}`);
  if (link.only) {
    const { by, start, end, label, path } = link.only;
    const name = path ? JSON.stringify(path) : label;
    put("only", [by, start, end, name].join());
  }
  put("structure", link.structure);
  put("core", link.core);
  const views = [
    ...(link.projector ? [PROJECTOR] : []),
    ...(link.plain ? [PLAIN] : []),
    ...(link.view ? [writeChoices(link.view)] : []),
  ];
  if (views.length > 0) put("view", views.join(";"));
  return parts.map(([key, value]) => `${key}=${escape(value)}`).join("&");
}

/** They stand among the choices of the views. */
const PROJECTOR = "projector";
const PLAIN = "plain";

/** Browsers open longer addresses, yet reading them could take long. */
const MOST_CHARACTERS = 200_000;

/**
 * Reads the text of `encodePermalink`, with or without the `#`. Throws an `Error` that says what is wrong.
 */
export function decodePermalink(hash: string): Permalink {
  if (hash.length > MOST_CHARACTERS)
    throw new Error(
      `it has ${counted(hash.length, "character")}, and ${count(MOST_CHARACTERS)} are the limit.`,
    );
  const word = wordsOf(hash);
  const link: Changing = readSide(word);
  for (const key of WORDS) {
    const value = word(key);
    if (value !== undefined) link[key] = value;
  }
  for (const key of NAMES) {
    // The screen Code was called Loop.
    const value = word(key) ?? word(key.replace("program", "loop"));
    if (value !== undefined) link[key] = nameOf(key, value);
  }
  const trace = word("trace");
  // Ids of examples are plain words.
  if (trace !== undefined && /[./:]/.test(trace)) link.address = trace;
  else if (trace !== undefined) link.trace = nameOf("trace", trace);
  const screen = word("screen");
  if (screen !== undefined)
    link.screen = oneOf("screen", SCREENS, screen === "loop" ? "code" : screen);
  const statName = word("stat-name");
  if (statName !== undefined) link.statName = statName.slice(0, 200);
  const family = word("family");
  if (family !== undefined)
    link.family = oneOf(
      "family",
      EVENT_FAMILIES.map(({ id }) => id),
      family,
    );
  const samples = word("samples");
  if (samples !== undefined) link.samples = parseSamples(samples);
  const workload = word("workload");
  if (workload !== undefined) link.workload = readWorkload(workload);
  const cores = word("cores");
  if (cores !== undefined) link.cores = oneOf("cores", CORES, cores);
  const counts = word("count");
  if (counts !== undefined) link.count = parseCount(counts);
  const right = word("right");
  if (right !== undefined) link.right = readSide(wordsOf(right));
  const compare = word("compare");
  if (compare !== undefined)
    link.compare = oneOf("compare", ["models", "saved"] as const, compare);
  for (const key of ["access", "step", "structure", "core"] as const) {
    const value = word(key);
    if (value !== undefined) link[key] = wholeNumber(key, value);
  }
  const whatIf = word("whatif");
  if (whatIf !== undefined) link.whatIf = readWhatIf(whatIf);
  const window = word("window");
  if (window !== undefined) link.window = parseWindow(window);
  const only = word("only");
  if (only !== undefined) link.only = parseOnly(only);
  const view = word("view");
  const views = view?.split(";") ?? [];
  if (views.includes(PROJECTOR)) link.projector = true;
  if (views.includes(PLAIN)) link.plain = true;
  const choices = views.filter((each) => ![PROJECTOR, PLAIN].includes(each));
  if (choices.length > 0) link.view = readChoices(choices.join(";"));
  return link;
}

type Changing = { -readonly [K in keyof Permalink]: Permalink[K] };
type Words = (key: string) => string | undefined;

function wordsOf(text: string): Words {
  const words = new URLSearchParams(text.replace(/^#/, ""));
  return (key) => words.get(key) ?? undefined;
}

/** The machine and the memory: all that a link inside a link can name. */
function readSide(word: Words): NonNullable<Permalink["right"]> {
  const side: Pick<Changing, "cpu" | "machine" | "os"> = {};
  const cpu = word("cpu");
  if (cpu !== undefined) side.cpu = nameOf("cpu", cpu);
  const machine = word("machine");
  if (machine !== undefined) side.machine = parseJson("machine", machine);
  const pages = word("pages");
  const virt = word("virt");
  const host = word("host");
  // The core checks sizes; the kind of virtualisation is one of few words.
  if ([pages, virt, host].some((each) => each !== undefined))
    side.os = {
      ...DEFAULT_OS,
      ...(pages === AS_RECORDED
        ? { map: AS_RECORDED }
        : pages !== undefined && { default: pages }),
      ...(virt !== undefined && { virt: oneOf("virt", VIRTS, virt) }),
      ...(host !== undefined && { host: { ...DEFAULT_OS, default: host } }),
    };
  const os = word("os");
  // The core checks the fields when the mapping is configured.
  if (os !== undefined)
    side.os = mappingWithDefaults(applyPatch(DEFAULT_OS, parseJson("os", os)));
  return side;
}

/** Values that are plain words. */
const WORDS = [
  "code",
  "build",
  "code2",
  "build2",
  "stat",
  "data",
  "exercise",
  "grade",
] as const;

/** Values that are names. */
const NAMES = [
  "experiment",
  "term",
  "lesson",
  "program",
  "program2",
  "file",
  "hash",
] as const;

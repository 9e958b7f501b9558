/** How to cite a result: BibTeX for the program, and the command that simulates the same. */
import citation from "../../../CITATION.cff?raw";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import { HOW_WE_KNOW } from "../experiments/howWeKnow";
import { VERSION } from "../shared/version";
import type { Permalink } from "./permalink";

/** What a run simulates. */
export interface Simulated {
  readonly machine: MachineConfig;
  readonly os: OsConfig;
}

/** Returns the value of a field of CITATION.cff that stands on one line. */
function field(name: string): string {
  const found = new RegExp(`^${name}: "?([^"\n]*)"?$`, "m").exec(citation);
  return found?.[1] ?? "";
}

/**
 * Returns a BibTeX entry. `address` is the link to the result, and `today` the day of the visit, as 2026-11-25.
 * BibLaTeX knows `@software`; BibTeX styles that do not print it like `@misc`.
 */
export function bibtex(address: string, today: string): string {
  const [year = ""] = field("date-released").split("-");
  const author = /name: "(.*)"/.exec(citation)?.[1] ?? "";
  return [
    `@software{pagewalk,`,
    `  author  = {{${author}}},`,
    `  title   = {${field("title")}},`,
    `  version = {${VERSION}},`,
    `  year    = {${year}},`,
    `  url     = {${address}},`,
    `  urldate = {${today}}`,
    `}`,
  ].join("\n");
}

/** Returns the shell command that runs an experiment, the checks of the simulator, or all experiments. */
export function experimentCommand(experiment: string | undefined): string {
  if (experiment === HOW_WE_KNOW) return "pagewalk verify --json";
  return `pagewalk experiment ${experiment ?? "--all"} --json`;
}

/**
 * Returns the shell command that simulates what the link shows; `undefined` if the link names no trace. The setup has
 * the whole machine, which is written out if it is not that of a CPU model.
 */
export function runCommand(
  link: Permalink,
  setup: Simulated,
): string | undefined {
  const trace = traceOptions(link);
  if (trace === undefined) return undefined;
  const { skip = 0, warmup = 0, limit } = link.count ?? {};
  return [
    "pagewalk run",
    link.cpu !== undefined && link.machine === undefined
      ? `--cpu ${link.cpu}`
      : `--machine ${fileOf(setup.machine)}`,
    `--os ${fileOf(setup.os)}`,
    ...(link.cores === undefined ? [] : [`--cores ${link.cores}`]),
    ...(skip > 0 ? [`--skip ${skip}`] : []),
    ...(warmup > 0 ? [`--warmup ${warmup}`] : []),
    ...(limit === undefined ? [] : [`--limit ${limit}`]),
    trace,
    "--json",
  ].join(" ");
}

function traceOptions({
  trace,
  workload,
  file,
}: Permalink): string | undefined {
  if (workload) {
    const params = Object.entries(workload.params);
    const given = params.map(([name, value]) => quoted(`${name}=${value}`));
    const all = given.length === 0 ? "" : ` --param ${given.join(" ")}`;
    return `--workload ${workload.id}${all}`;
  }
  if (trace !== undefined) return `--trace ${trace}.pagewalk.gz`;
  return file === undefined ? undefined : `--trace ${quoted(file)}`;
}

/** Bash and zsh give the text to the program as a file. */
function fileOf(json: object): string {
  return `<(echo ${quoted(JSON.stringify(json))})`;
}

/** Quotes a word for a shell, if it needs that. */
function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word)
    ? word
    : `'${word.replaceAll("'", `'\\''`)}'`;
}

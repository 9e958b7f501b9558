/** How to cite a result: BibTeX for the program, and the command that simulates the same. */
import citation from "../../../CITATION.cff?raw";
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { SideSetup } from "../compare/sides";
import { cpuOf, mappingOf } from "../config/cpus";
import { HOW_WE_KNOW } from "../experiments/howWeKnow";
import { traceFile } from "../import/exportText";
import { same } from "../shared/mergePatch";
import { VERSION } from "../shared/version";
import type { TraceLink } from "../compare/savedRun";
import { plainMapping } from "./permalink";
import type { Carried } from "./permalink";

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
 * Returns the shell commands that simulate one machine on the trace of a link; `undefined` if the link names no trace.
 * Files are written or fetched first, so that `pagewalk run --repeat` finds them again. `site` is the page's address,
 * and `suffix` tells the files of two machines apart.
 */
export function runCommand(
  link: TraceLink & Carried,
  cpus: readonly CpuModel[],
  { cpu, setup }: SideSetup,
  site: string,
  suffix = "",
): string | undefined {
  const machineFile = `machine${suffix}.json`;
  const mappingFile = `mapping${suffix}.json`;
  const trace = traceOptions(link, site);
  if (trace === undefined) return undefined;
  const { machine, os, cores = "one" } = setup;
  const { skip = 0, warmup = 0, limit } = setup.window ?? {};
  const model = cpuOf(cpus, cpu);
  const isModel = same(model?.machine, machine);
  const usual = mappingOf(isModel ? model : undefined, machine);
  const mapping = same(os, usual) ? [] : mappingOptions(os);
  return [
    ...trace.before,
    ...(isModel ? [] : [written(machine, machineFile)]),
    ...(mapping === undefined ? [written(os, mappingFile)] : []),
    [
      "pagewalk run",
      isModel ? `--cpu ${cpu}` : `--machine ${machineFile}`,
      ...(mapping ?? [`--os ${mappingFile}`]),
      ...(cores === "one" ? [] : [`--cores ${cores}`]),
      ...(skip > 0 ? [`--skip ${skip}`] : []),
      ...(warmup > 0 ? [`--warmup ${warmup}`] : []),
      ...(limit === undefined ? [] : [`--limit ${limit}`]),
      trace.option,
      "--json",
    ].join(" "),
  ].join("\n");
}

/** Returns the name of the trace's file, if only the user has it. */
export function fileToBring(link: TraceLink & Carried): string | undefined {
  const { workload, trace, file, address } = link;
  const isElsewhere = [workload, trace, address].some((it) => it !== undefined);
  return isElsewhere || file === undefined ? undefined : traceFile(file);
}

/** Returns the option for a trace, and the commands that get its file. */
function traceOptions(
  { trace, workload, file, address }: TraceLink & Carried,
  site: string,
): { readonly option: string; readonly before: string[] } | undefined {
  if (workload) {
    const params = Object.entries(workload.params);
    const given = params.map(([name, value]) => quoted(`${name}=${value}`));
    const all = given.length === 0 ? "" : ` --param ${given.join(" ")}`;
    return { option: `--workload ${workload.id}${all}`, before: [] };
  }
  const example = trace === undefined ? undefined : `${trace}.pagewalk.gz`;
  const name = example ?? (file === undefined ? undefined : traceFile(file));
  if (name === undefined) return undefined;
  const from = example === undefined ? address : `traces/${example}`;
  const source = from === undefined ? undefined : new URL(from, site).href;
  return {
    option: `--trace ${quoted(name)}`,
    before:
      source === undefined
        ? []
        : [`curl -L -o ${quoted(name)} ${quoted(source)}`],
  };
}

/** Returns the options for a mapping that is the same everywhere; `undefined` if it needs a file. */
function mappingOptions(os: OsConfig): string[] | undefined {
  const plain = plainMapping(os);
  return (
    plain && [
      `--pages ${plain.pages}`,
      ...(plain.virt === undefined ? [] : [`--virt ${plain.virt}`]),
      ...(plain.host === undefined ? [] : [`--host-pages ${plain.host}`]),
    ]
  );
}

/** Returns the command that writes a file. `echo` would read backslashes in some shells. */
function written(json: object, name: string): string {
  return `printf '%s\\n' ${quoted(JSON.stringify(json))} > ${name}`;
}

/** Quotes a word for a shell, if it needs that. */
function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word)
    ? word
    : `'${word.replaceAll("'", `'\\''`)}'`;
}

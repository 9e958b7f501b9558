/** A generated trace in links, in commands, and in the form that defines it. */
import { count } from "../shared/format";
import { bytesOf } from "../shared/pageSizes";
import type { MachineView } from "../../engine/generated/MachineView";
import type { CoreError } from "../../engine/generated/CoreError";
import type { ParamInfo } from "../../engine/generated/ParamInfo";
import type { WorkloadInfo } from "../../engine/generated/WorkloadInfo";

/** A workload with the parameters that differ from its defaults. */
export interface WorkloadChoice {
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
}

/** The form in a link: `uniform,bytes=1G,seed=3`. */
export function writeWorkload({ id, params }: WorkloadChoice): string {
  return [id, ...pairs(params)].join(",");
}

/** Reads the text of `writeWorkload`. Throws an `Error` that says what is wrong. */
export function readWorkload(text: string): WorkloadChoice {
  const [id = "", ...words] = text.split(",");
  const params: Record<string, string> = {};
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1)
      throw new Error(`“workload” has a part “${word}” without a value.`);
    params[word.slice(0, at)] = word.slice(at + 1);
  }
  return { id, params };
}

/** The shell command that generates the same trace. */
export function genCommand(choice: WorkloadChoice, needsCsv: boolean): string {
  const { id, params } = choice;
  const given = pairs(params).map((pair) => ` --param ${pair}`);
  return `pagewalk gen ${id}${given.join("")} --out ${id}.${needsCsv ? "csv" : "lackey"}`;
}

/** The values of a form that differ from the defaults. */
export function chosen(
  { id, params }: WorkloadInfo,
  values: Readonly<Record<string, string>>,
): WorkloadChoice {
  const given = params.flatMap(({ name, default: usual }) => {
    const value = values[name]?.trim() ?? "";
    return value === "" || value === usual ? [] : [[name, value] as const];
  });
  return { id, params: Object.fromEntries(given) };
}

/** The parameters that are a size of memory. */
const SIZES = ["bytes", "heap"];
/** On a space as small as this, a thousand accesses show everything. */
const FEW_BITS = 20;

/** Values in place of the defaults, if these lie outside the machine's address space; otherwise none. */
export function fittingValues(
  { params }: WorkloadInfo,
  { va_bits }: Pick<MachineView, "va_bits">,
): Readonly<Record<string, string>> {
  const space = 2 ** va_bits;
  const base = params.find(({ name }) => name === "base");
  if (!base || Number(base.default) < space) return {};
  const size = params.find(({ name }) => SIZES.includes(name));
  const accesses = params.find(({ name }) => name === "accesses");
  return {
    base: "0x0",
    ...(size &&
      bytesOf(size.default) > space / 2 && { [size.name]: `${space / 2}` }),
    ...(Number(accesses?.default) > 0 &&
      va_bits <= FEW_BITS && { accesses: "1000" }),
  };
}

/** The error message of a parameter, if it has one. */
export function problemAt(
  errors: readonly CoreError[],
  name: string,
): string | undefined {
  const error = errors.find(
    ({ at }) => at !== undefined && "field" in at && at.field === name,
  );
  return error?.message;
}

/** The limits of a parameter: `1 to 64T bytes`. */
export function rangeText({ type, min, max, unit }: ParamInfo): string {
  if (min === undefined || max === undefined) return "";
  if (type === "address") return `up to ${max}`;
  if (Number(max) >= Number.MAX_SAFE_INTEGER) return `${min} or more`;
  const least = type === "count" ? count(Number(min)) : min;
  const most = type === "count" ? count(Number(max)) : max;
  return `${least} to ${most}${unit === undefined ? "" : ` ${unit}`}`;
}

function pairs(params: WorkloadChoice["params"]): string[] {
  return Object.entries(params).map(([name, value]) => `${name}=${value}`);
}

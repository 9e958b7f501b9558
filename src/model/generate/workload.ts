/** A generated trace in links, in commands, and in a form that is being filled in. */
import { count } from "../shared/format";
import type { CoreError } from "../../engine/generated/CoreError";
import type { ParamInfo } from "../../engine/generated/ParamInfo";
import type { WorkloadInfo } from "../../engine/generated/WorkloadInfo";

/** A workload with the parameters that are not its defaults. */
export interface WorkloadChoice {
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
}

/** As it stands in a link: `uniform,bytes=1G,seed=3`. */
export function writeWorkload({ id, params }: WorkloadChoice): string {
  return [id, ...pairs(params)].join(",");
}

/** Reads what `writeWorkload` wrote. Throws an `Error` that says what is wrong. */
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

/** What makes the same trace in a shell. */
export function genCommand(choice: WorkloadChoice, needsCsv: boolean): string {
  const { id, params } = choice;
  const given = pairs(params).map((pair) => ` --param ${pair}`);
  return `pagewalk gen ${id}${given.join("")} --out ${id}.${needsCsv ? "csv" : "lackey"}`;
}

/** The values of a form without those that are the defaults anyway. */
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

/** The message for a parameter, if something is wrong with it. */
export function problemAt(
  errors: readonly CoreError[],
  name: string,
): string | undefined {
  const error = errors.find(
    ({ at }) => at !== undefined && "field" in at && at.field === name,
  );
  return error?.message;
}

/** What a parameter may be: `1 to 64T bytes`. */
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

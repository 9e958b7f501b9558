/** A machine that the user keeps: a configuration with a name, in the browser or as a file. */
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import { same } from "../shared/mergePatch";
import { messageOf } from "../shared/messageOf";

export interface SavedMachine {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly date: number;
  /** The id of the CPU model that it started from. */
  readonly cpu: string;
  readonly machine: MachineConfig;
  readonly os: OsConfig;
}

/** What a file holds: a machine without its place in the browser. */
export type MachineFile = Omit<SavedMachine, "id" | "date">;

/** The longest name that is kept. */
export const MOST_NAME = 80;

const FORMAT = "pagewalk-machine";

export function writeMachine({ name, cpu, machine, os }: MachineFile): string {
  return `${JSON.stringify({ format: FORMAT, name, cpu, machine, os }, null, 2)}\n`;
}

/** Reads the form of a file; the core checks the machine. Throws an error whose message says what is wrong. */
export function readMachine(text: string): MachineFile {
  const file = parsed(text);
  const { name, cpu, machine, os } = file;
  if (file["format"] !== FORMAT || !isObject(machine) || !isObject(os))
    throw new Error(
      `It is no saved machine: “format” must be "${FORMAT}", and “machine” and “os” must be objects. Export a machine here to see the form.`,
    );
  return {
    name: typeof name === "string" ? name.slice(0, MOST_NAME) : "imported",
    cpu: typeof cpu === "string" ? cpu : "",
    // The core checks the fields.
    machine: machine as unknown as MachineConfig,
    os: os as unknown as OsConfig,
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const file: unknown = JSON.parse(text);
    if (isObject(file)) return file;
  } catch (thrown) {
    const why = messageOf(thrown);
    throw new Error(`It is no JSON: ${why}.`);
  }
  throw new Error("It is JSON, but no object.");
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The saved machine that is the given one, whatever its own name is. */
export function findSaved(
  saved: readonly SavedMachine[],
  machine: MachineConfig,
): SavedMachine | undefined {
  return saved.find((each) =>
    same({ ...each.machine, name: "" }, { ...machine, name: "" }),
  );
}

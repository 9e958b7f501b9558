/**
 * Chooses the words for a machine's page tables, their caches and invalidations: Intel's, AMD's, Arm's, or
 * neutral ones. All code that names such things uses this module.
 */
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { TableFormat } from "../../engine/generated/TableFormat";
import { AMD } from "./amd";
import { ARM } from "./arm";
import { PLAIN, X86 } from "./x86";
import type { Words } from "./vocabulary";

const ALL: Readonly<Record<TableFormat, Words>> = {
  x86: X86,
  amd: AMD,
  arm: ARM,
  plain: PLAIN,
};

/** The words of a machine. */
export function wordsOf({ tables }: { readonly tables: TableFormat }): Words {
  return ALL[tables];
}

/** The words of a configured machine before it runs. */
export function wordsOfConfig(machine: Configured): Words {
  return ALL[tablesOf(machine)];
}

type Configured = Pick<MachineConfig, "paging" | "virt">;

/**
 * The table format of a geometry, by the core's rule: only Arm's entries have a contiguous bit, and only AMD
 * has a page walk cache in virtual machines.
 */
export function tablesOf({ paging, virt }: Configured): TableFormat {
  const hasPwc = virt?.style !== undefined && virt.style !== "combined";
  const x86 = hasPwc ? "amd" : "x86";
  if (!paging) return x86;
  const { offset_bits, index_bits, contiguous = {} } = paging;
  if (Object.keys(contiguous).length > 0) return "arm";
  const isX86 =
    offset_bits === 12 &&
    index_bits.length >= 4 &&
    index_bits.every((bits) => bits === 9);
  return isX86 ? x86 : "plain";
}

/** Translates the core's names in a nested walk, `gL4`, `nL1` and `data`, into the machine's words. */
export function nestedName(name: string, words: Words): string {
  const [, side, level] = /^([gn])L(\d+)$/.exec(name) ?? [];
  if (level === undefined) return name;
  return (side === "g" ? words.guestLevel : words.hostLevel)(Number(level));
}

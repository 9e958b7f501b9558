/** The words of a machine's tables and of what invalidates them: x86's, Arm's, or plain ones. */
import type { InveptScope } from "../engine/generated/InveptScope";
import type { InvpcidScope } from "../engine/generated/InvpcidScope";
import type { InvvpidScope } from "../engine/generated/InvvpidScope";
import type { TableFormat } from "../engine/generated/TableFormat";

export interface Words {
  /** What holds the address of the root table. */
  readonly root: string;
  /** Of a table by its name: `PTE`, `L3 descriptor`. */
  readonly entry: (table: string) => string;
  /** The same where it must not be taken for a level of TLB: `PT entry`, `L1 table entry`. */
  readonly tableEntry: (table: string) => string;
  /** An entry that maps a page: `PD entry`, `L2 block descriptor`. `isLowest`: of the last level. */
  readonly leaf: (table: string, isLowest: boolean) => string;
  /** The paging-structure caches by the names that configurations have. */
  readonly walkCaches: Readonly<Record<string, string>>;
  /** The level as it is numbered beside the name of its table; empty where the name says it. */
  readonly level: (level: number) => string;
  /** What tells address spaces apart, and virtual machines. */
  readonly space: string;
  readonly vm: string;
  readonly setRoot: string;
  /** The same as it is counted, one and many. */
  readonly rootLoads: readonly [string, string];
  /** What drops single pages or address spaces, as it is counted. */
  readonly pageDrops: string;
  /** The tables of the host. */
  readonly host: string;
  /** What ends a walk of the host's tables, one and many: a missing page or right, and an entry that means nothing. */
  readonly violation: readonly [string, string];
  readonly misconfiguration: readonly [string, string];
  readonly page: string;
  readonly ofSpace: Readonly<Record<InvpcidScope, string>>;
  readonly ofVm: Readonly<Record<InvvpidScope, string>>;
  readonly ofHost: Readonly<Record<InveptScope, string>>;
}

const X86: Words = {
  root: "CR3",
  entry: (table) => (/^L\d$/.test(table) ? `${table} entry` : `${table}E`),
  tableEntry: (table) =>
    /^L\d$/.test(table) ? `${table} table entry` : `${table} entry`,
  leaf: (table) => `${table} entry`,
  walkCaches: {},
  level: (level) => `level ${level}`,
  space: "PCID",
  vm: "VPID",
  setRoot: "MOV CR3",
  rootLoads: ["load of CR3", "loads of CR3"],
  pageDrops: "INVLPG and INVPCID",
  host: "EPT",
  violation: ["EPT violation", "EPT violations"],
  misconfiguration: ["EPT misconfiguration", "EPT misconfigurations"],
  page: "INVLPG",
  ofSpace: {
    address: "INVPCID of address",
    pcid: "INVPCID of one PCID",
    all: "INVPCID of all PCIDs",
    "all-but-global": "INVPCID of all but global pages",
  },
  ofVm: {
    address: "INVVPID of address",
    vpid: "INVVPID of one VPID",
    all: "INVVPID of all VPIDs",
    "vpid-but-global": "INVVPID of one VPID but global pages",
  },
  ofHost: {
    single: "INVEPT of one context",
    all: "INVEPT of all contexts",
  },
};

/** Arm Architecture Reference Manual, D8.3 (descriptors) and C5.5 (TLBI). */
const ARM: Words = {
  root: "TTBR0",
  entry: (table) => `${table} descriptor`,
  tableEntry: (table) => `${table} descriptor`,
  leaf: (table, isLowest) =>
    `${table} ${isLowest ? "page" : "block"} descriptor`,
  walkCaches: {
    pde: "L2 walk cache",
    pdpte: "L1 walk cache",
    pml4e: "L0 walk cache",
    upper: "upper walk cache",
    unified: "walk cache",
  },
  level: () => "",
  space: "ASID",
  vm: "VMID",
  setRoot: "write of TTBR0",
  rootLoads: ["write of TTBR0", "writes of TTBR0"],
  pageDrops: "TLBI of one address or ASID",
  host: "stage 2",
  violation: ["stage 2 fault", "stage 2 faults"],
  misconfiguration: ["bad stage 2 descriptor", "bad stage 2 descriptors"],
  page: "TLBI VAAE1",
  ofSpace: {
    address: "TLBI VAE1",
    pcid: "TLBI ASIDE1",
    all: "TLBI VMALLE1",
    "all-but-global": "TLBI of all but global pages",
  },
  ofVm: {
    address: "TLBI VAAE1",
    vpid: "TLBI VMALLE1",
    all: "TLBI ALLE1",
    "vpid-but-global": "TLBI of one VMID but global pages",
  },
  ofHost: { single: "TLBI VMALLS12E1", all: "TLBI ALLE1" },
};

const PLAIN: Words = {
  ...X86,
  root: "root",
  entry: (table) => `${table} entry`,
  level: () => "",
};

const ALL: Readonly<Record<TableFormat, Words>> = {
  x86: X86,
  arm: ARM,
  plain: PLAIN,
};

/** The words of a machine. */
export function wordsOf({ tables }: { readonly tables: TableFormat }): Words {
  return ALL[tables];
}

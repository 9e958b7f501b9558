/**
 * Arm's words (Architecture Reference Manual, D8.3 for descriptors, C5.5 for TLBI; IPA cache: TRM of the
 * Cortex-A55).
 */
import { levelOf } from "./walkCaches";
import type { ControlBit } from "../../engine/generated/ControlBit";
import type { Words } from "./vocabulary";

/** By level, 1 the lowest: the lookup level, which Arm counts from 0 at the root of four levels. */
const lookup = (level: number) => `L${4 - level}`.replace("-", "−");

function walkCache(name: string): string {
  const level = levelOf(name);
  if (level !== undefined) return `${lookup(level)} walk cache`;
  if (name === "unified") return "walk cache";
  return /cache/i.test(name) ? name : `${name} walk cache`;
}

/**
 * A fault by the core's error code: bit 0 a page was there, 1 store, 2 program, 4 fetch (SDM vol. 3, 4.7).
 */
function fault(code: string): string {
  const has = (bit: bigint) => (BigInt(code) & bit) !== 0n;
  const kind = has(1n) ? "permission fault" : "translation fault";
  const by = has(16n) ? "fetch" : has(2n) ? "store" : "load";
  return `${kind} of a ${by} at ${has(4n) ? "EL0" : "EL1"}`;
}

const COUNTED: Readonly<Record<string, string>> = {
  "mov-cr3": "write of TTBR0",
  invlpg: "TLBI of one address",
  invpcid: "TLBI by ASID",
  invept: "TLBI of stage 2",
  invvpid: "TLBI by VMID",
  wrpkru: "write of POR",
  "mov-cr0": "write of SCTLR",
  "mov-cr4": "write of TCR",
  wrmsr: "write of a system register",
  stac: "PAN off",
  clac: "PAN on",
  syscall: "SVC",
  sysret: "ERET",
};

const CONTROL: Readonly<Record<ControlBit, string>> = {
  pge: "global pages",
  pcide: "ASIDs",
  smep: "PXN of programs' pages",
  smap: "PAN",
  pke: "permission overlays",
  wp: "read-only pages for the system",
  pg: "SCTLR.M",
  nxe: "execute never",
  ac: "PAN override",
  supervisor: "EL1",
};

export const ARM: Words = {
  root: "TTBR0",
  entry: (table) => `${table} descriptor`,
  tableEntry: (table) => `${table} descriptor`,
  leaf: (table, isLowest) =>
    `${table} ${isLowest ? "page" : "block"} descriptor`,
  walkCache,
  cacheOf: (table) => `${table} walk cache`,
  walkCaches: "walk caches",
  level: () => "",
  space: "ASID",
  vm: "VMID",
  spacesOfLinux: "Linux uses 256 or 65,536",
  setRoot: "write of TTBR0",
  rootLoads: ["write of TTBR0", "writes of TTBR0"],
  pageDrops: "TLBI of one address or ASID",
  host: "stage 2",
  hostRoot: "VTTBR",
  hasLog: false,
  violation: ["stage 2 fault", "stage 2 faults"],
  misconfiguration: ["bad stage 2 descriptor", "bad stage 2 descriptors"],
  qualification: () => "",
  exception: (name, code) => {
    if (code !== null) return fault(code);
    if (name.startsWith("#")) return "translation fault";
    return name === "EPT misconfiguration" ? "bad stage 2 descriptor" : name;
  },
  page: "TLBI VAAE1",
  ofSpace: {
    address: "TLBI VAE1",
    pcid: "TLBI ASIDE1",
    all: "TLBI VMALLE1",
    "all-but-global": "TLBI of all except global pages",
  },
  ofVm: {
    address: "TLBI VAAE1",
    vpid: "TLBI VMALLE1",
    all: "TLBI ALLE1",
    "vpid-but-global": "TLBI of one VMID except global pages",
  },
  ofHost: { single: "TLBI VMALLS12E1", all: "TLBI ALLE1" },
  counted: (op) => COUNTED[op] ?? op,
  control: (bit) => CONTROL[bit],
  setKeys: "write of POR",
  virt: { native: "native", ept: "two-stage", shadow: "shadow" },
  guestGround: "stage 1",
  hostGround: ["stage 2 (host): IPA to PA", "stage 2"],
  guestLevel: (level) => `S1${lookup(level)}`,
  hostLevel: (level) => `S2${lookup(level)}`,
  guestPhysical: "IPA",
  guestPhysicalShort: "IPA",
  hostPhysical: "PA",
  nestedTlb: "IPA cache",
  styles: {
    combined: {
      word: "by address",
      about:
        "A walk cache of stage 1 holds the physical address of a table; stage 2 has its own walk caches.",
    },
    "pwc-1d": {
      word: "by entry, stage 1",
      about:
        "A page walk cache holds stage 1 descriptors by physical address; every stage 2 walk is made.",
    },
    "pwc-2d": {
      word: "by entry, both stages",
      about:
        "A page walk cache holds descriptors of both stages by physical address.",
    },
  },
  pscRow: (name, isHost) => {
    const level = levelOf(name);
    const stage = isHost ? "stage 2 " : "";
    if (level !== undefined)
      return {
        title: `${lookup(level)} walk cache`,
        about: `${stage}${lookup(level)} descriptors`,
      };
    return name === "upper"
      ? {
          title: "upper walk cache",
          about: `${stage}L0 and L1 descriptors, shared`,
        }
      : {
          title: "walk cache",
          about: `${stage}descriptors of all levels, shared`,
        };
  },
};

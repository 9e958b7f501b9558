/** The words of x86's tables (Intel SDM vol. 3), and neutral ones for other tables. */
import type { PscName } from "./walkCaches";
import type { Words } from "./vocabulary";

function walkCache(name: string): string {
  if (/cache/i.test(name)) return name;
  return name === "upper" ? "upper walk cache" : `${name.toUpperCase()} cache`;
}

/** What each walk cache holds. */
const KEPT: Readonly<Record<PscName, string>> = {
  pml5e: "PML5 entries",
  pml4e: "PML4 entries",
  pdpte: "PDPT entries",
  upper: "PML4 and PDPT entries, shared",
  pde: "PD entries",
  unified: "entries of all levels, shared",
};

const entry = (table: string) =>
  /^L\d$/.test(table) ? `${table} entry` : `${table}E`;

export const X86: Words = {
  root: "CR3",
  entry,
  tableEntry: (table) =>
    /^L\d$/.test(table) ? `${table} table entry` : `${table} entry`,
  leaf: (table) => `${table} entry`,
  walkCache,
  cacheOf: (table) => `${entry(table)} cache`,
  walkCaches: "paging-structure caches",
  level: (level) => `level ${level}`,
  space: "PCID",
  vm: "VPID",
  spacesOfLinux: "6 on Linux",
  setRoot: "MOV CR3",
  rootLoads: ["load of CR3", "loads of CR3"],
  pageDrops: "INVLPG and INVPCID",
  host: "EPT",
  hostRoot: "EPT pointer",
  hasLog: true,
  violation: ["EPT violation", "EPT violations"],
  misconfiguration: ["EPT misconfiguration", "EPT misconfigurations"],
  qualification: (code) => ` (exit qualification ${code})`,
  exception: (name, code) => (code === null ? name : `${name} ${code}`),
  page: "INVLPG",
  ofSpace: {
    address: "INVPCID of address",
    pcid: "INVPCID of one PCID",
    all: "INVPCID of all PCIDs",
    "all-but-global": "INVPCID of all except global pages",
  },
  ofVm: {
    address: "INVVPID of address",
    vpid: "INVVPID of one VPID",
    all: "INVVPID of all VPIDs",
    "vpid-but-global": "INVVPID of one VPID except global pages",
  },
  ofHost: {
    single: "INVEPT of one context",
    all: "INVEPT of all contexts",
  },
  counted: (op) => op,
  control: (bit) => bit.toUpperCase(),
  setKeys: "WRPKRU",
  virt: { native: "native", ept: "EPT", shadow: "shadow" },
  guestGround: "guest",
  hostGround: ["host (EPT): guest-physical to host-physical", "host (EPT)"],
  guestLevel: (level) => `gL${level}`,
  hostLevel: (level) => `nL${level}`,
  guestPhysical: "guest-physical",
  guestPhysicalShort: "gPA",
  hostPhysical: "host PA",
  nestedTlb: "nested TLB",
  styles: {
    combined: {
      word: "combined (Intel)",
      about:
        "A walk cache holds the host address of a guest table; the EPT has its own walk caches.",
    },
    "pwc-1d": {
      word: "PWC, guest only (AMD)",
      about:
        "A page walk cache holds guest entries by host-physical address; every host walk is made.",
    },
    "pwc-2d": {
      word: "PWC, both (AMD)",
      about:
        "A page walk cache holds guest and host entries by host-physical address.",
    },
  },
  pscRow: (name, isHost) => {
    const about = KEPT[name];
    return { title: name, about: isHost ? `EPT ${about}` : about };
  },
};

export const PLAIN: Words = {
  ...X86,
  root: "root",
  entry: (table) => `${table} entry`,
  cacheOf: (table) => `${table} entry cache`,
  level: () => "",
};

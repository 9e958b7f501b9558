/** The words of AMD's nested paging (APM vol. 2, 15.25): the tables of guest and host have x86's names. */
import { X86 } from "./x86";
import type { Words } from "./vocabulary";

const MISCONFIGURED = "nested page fault of a reserved bit";

export const AMD: Words = {
  ...X86,
  vm: "ASID",
  host: "NPT",
  hostRoot: "nCR3",
  hasLog: false,
  violation: ["nested page fault", "nested page faults"],
  misconfiguration: [MISCONFIGURED, "nested page faults of reserved bits"],
  qualification: () => "",
  exception: (name, code) =>
    name === "EPT misconfiguration" ? MISCONFIGURED : X86.exception(name, code),
  // In addition to INVLPGA, the host requests these invalidations when it enters the guest (TLB_CONTROL).
  ofVm: {
    address: "INVLPGA",
    vpid: "flush of one ASID",
    all: "flush of all ASIDs",
    "vpid-but-global": "flush of one ASID except global pages",
  },
  ofHost: {
    single: "flush of one nested table",
    all: "flush of all nested tables",
  },
  counted: (op) => COUNTED[op] ?? op,
  virt: { ...X86.virt, ept: "NPT" },
  hostGround: ["host (NPT): guest-physical to host-physical", "host (NPT)"],
};

const COUNTED: Readonly<Record<string, string>> = {
  invvpid: "flushes of ASIDs",
  invept: "flushes of nested tables",
};

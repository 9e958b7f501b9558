/** The shape of a vocabulary: a vendor's names for the parts of address translation. */
import type { PscName } from "./walkCaches";
import type { ControlBit } from "../../engine/generated/ControlBit";
import type { InveptScope } from "../../engine/generated/InveptScope";
import type { InvpcidScope } from "../../engine/generated/InvpcidScope";
import type { InvvpidScope } from "../../engine/generated/InvvpidScope";
import type { Virt } from "../../engine/generated/Virt";
import type { VirtStyle } from "../../engine/generated/VirtStyle";

export interface Words {
  /** The register with the address of the root table. */
  readonly root: string;
  /** An entry of a table by the table's name: `PTE`, `L3 descriptor`. */
  readonly entry: (table: string) => string;
  /** An entry by a name that cannot be confused with a TLB level: `PT entry`, `L1 table entry`. */
  readonly tableEntry: (table: string) => string;
  /** An entry that maps a page: `PD entry`, `L2 block descriptor`. `isLowest`: of the lowest level. */
  readonly leaf: (table: string, isLowest: boolean) => string;
  /** A walk cache by its name in configurations: `PDE cache`, `L2 walk cache`. */
  readonly walkCache: (name: string) => string;
  /** A walk cache by the entry that was looked up. */
  readonly cacheOf: (table: string) => string;
  /** All walk caches together. */
  readonly walkCaches: string;
  /** The number of the level next to the table's name; empty if the name says it. */
  readonly level: (level: number) => string;
  /** The tags of address spaces and of virtual machines. */
  readonly space: string;
  readonly vm: string;
  /** How many address space tags Linux uses. */
  readonly spacesOfLinux: string;
  readonly setRoot: string;
  /** The load of the root register, as a count: one and many. */
  readonly rootLoads: readonly [string, string];
  /** The invalidations of single pages or address spaces, as a count. */
  readonly pageDrops: string;
  /** The host's page tables. */
  readonly host: string;
  /** The pointer to their root. */
  readonly hostRoot: string;
  /** Whether the processor logs written pages for the host: Intel's page-modification log. */
  readonly hasLog: boolean;
  /**
   * Exits that end a walk of the host's tables, one and many: a missing page or permission, and an invalid
   * entry.
   */
  readonly violation: readonly [string, string];
  readonly misconfiguration: readonly [string, string];
  /** The code of a violation; empty if the vendor has none. */
  readonly qualification: (code: string) => string;
  /** An exception, by the core's name and code. */
  readonly exception: (name: string, code: string | null) => string;
  readonly page: string;
  readonly ofSpace: Readonly<Record<InvpcidScope, string>>;
  readonly ofVm: Readonly<Record<InvvpidScope, string>>;
  readonly ofHost: Readonly<Record<InveptScope, string>>;
  /** Operations by the core's name: `invlpg`. */
  readonly counted: (op: string) => string;
  /** Control bits that change address translation, and the register of protection keys. */
  readonly control: (bit: ControlBit) => string;
  readonly setKeys: string;
  /** How memory is mapped. */
  readonly virt: Readonly<Record<Virt, string>>;
  /** The names of the guest's and the host's translations in a nested walk. */
  readonly guestGround: string;
  readonly hostGround: readonly [full: string, short: string];
  /** The name of a row or column, by level, 1 the lowest: `gL4`, `S1L0`; of the host `nL4`, `S2L0`. */
  readonly guestLevel: (level: number) => string;
  readonly hostLevel: (level: number) => string;
  /** Guest-physical addresses in a sentence and in short, and host-physical addresses. */
  readonly guestPhysical: string;
  readonly guestPhysicalShort: string;
  readonly hostPhysical: string;
  /** The cache of host translations. */
  readonly nestedTlb: string;
  /** The walk cache styles for nested walks: the name of the choice, and what the caches hold. */
  readonly styles: Readonly<
    Record<VirtStyle, { readonly word: string; readonly about: string }>
  >;
  /** A walk cache in the editor, of the guest's tables or of the host's. */
  readonly pscRow: (
    name: PscName,
    isHost: boolean,
  ) => { readonly title: string; readonly about: string };
}

/** The shape of a vocabulary: what a vendor calls the parts of address translation. */
import type { ControlBit } from "../../engine/generated/ControlBit";
import type { InveptScope } from "../../engine/generated/InveptScope";
import type { InvpcidScope } from "../../engine/generated/InvpcidScope";
import type { InvvpidScope } from "../../engine/generated/InvvpidScope";
import type { Virt } from "../../engine/generated/Virt";
import type { VirtStyle } from "../../engine/generated/VirtStyle";

export interface Words {
  /** What holds the address of the root table. */
  readonly root: string;
  /** Of a table by its name: `PTE`, `L3 descriptor`. */
  readonly entry: (table: string) => string;
  /** The same where it must not be taken for a level of TLB: `PT entry`, `L1 table entry`. */
  readonly tableEntry: (table: string) => string;
  /** An entry that maps a page: `PD entry`, `L2 block descriptor`. `isLowest`: of the last level. */
  readonly leaf: (table: string, isLowest: boolean) => string;
  /** A paging-structure cache by the name that configurations have: `PDE cache`, `L2 walk cache`. */
  readonly walkCache: (name: string) => string;
  /** The same with the entry that it was asked for. */
  readonly cacheOf: (table: string) => string;
  /** All of them. */
  readonly walkCaches: string;
  /** The level as it is numbered beside the name of its table; empty where the name says it. */
  readonly level: (level: number) => string;
  /** What tells address spaces apart, and virtual machines. */
  readonly space: string;
  readonly vm: string;
  /** How many of the first Linux uses. */
  readonly spacesOfLinux: string;
  readonly setRoot: string;
  /** The same as it is counted, one and many. */
  readonly rootLoads: readonly [string, string];
  /** What drops single pages or address spaces, as it is counted. */
  readonly pageDrops: string;
  /** The tables of the host. */
  readonly host: string;
  /** What points to their root. */
  readonly hostRoot: string;
  /** Whether the processor lists for the host the pages that are written: Intel's page-modification log. */
  readonly hasLog: boolean;
  /** What ends a walk of the host's tables, one and many: a missing page or right, and an entry that means nothing. */
  readonly violation: readonly [string, string];
  readonly misconfiguration: readonly [string, string];
  /** What a violation says of itself; empty where it is not told in numbers. */
  readonly qualification: (code: string) => string;
  /** An exception by the name and the code that the core gives. */
  readonly exception: (name: string, code: string | null) => string;
  readonly page: string;
  readonly ofSpace: Readonly<Record<InvpcidScope, string>>;
  readonly ofVm: Readonly<Record<InvvpidScope, string>>;
  readonly ofHost: Readonly<Record<InveptScope, string>>;
  /** Operations as they are counted: `invlpg`. */
  readonly counted: (op: string) => string;
  /** Bits that change how memory is translated, and the register of protection keys. */
  readonly control: (bit: ControlBit) => string;
  readonly setKeys: string;
  /** How memory is mapped. */
  readonly virt: Readonly<Record<Virt, string>>;
  /** What the machine's translations and the host's are called in a two-dimensional walk. */
  readonly guestGround: string;
  readonly hostGround: readonly [full: string, short: string];
  /** `gL4`, `S1L0`; of the host `nL4`, `S2L0`. By level, 1 the lowest. */
  readonly guestLevel: (level: number) => string;
  readonly hostLevel: (level: number) => string;
  /** Addresses between the two, in a sentence and in a tight place, and those of the host. */
  readonly guestPhysical: string;
  readonly guestPhysicalShort: string;
  readonly hostPhysical: string;
  /** What keeps translations of the host alone. */
  readonly nestedTlb: string;
  /** The walk caches of two-dimensional walks: a word to choose by, and what they keep. */
  readonly styles: Readonly<
    Record<VirtStyle, { readonly word: string; readonly about: string }>
  >;
  /** A walk cache in the editor, of the machine's tables or of the host's. */
  readonly pscRow: (
    name: string,
    isHost: boolean,
  ) => { readonly title: string; readonly about: string };
}

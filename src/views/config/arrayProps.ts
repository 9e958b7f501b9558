/** What the fields of a TLB array show and change. */
import type { ArrayConfig } from "../../engine/generated/ArrayConfig";
import type { PageSize } from "../../engine/generated/PageSize";

export interface ArrayRowProps {
  /** Path of the array in the machine: `l1[0]`. */
  readonly path: string;
  readonly array: ArrayConfig;
  /** The array with the same name in the CPU model, with its path there. */
  readonly original:
    { readonly path: string; readonly array: ArrayConfig } | undefined;
  /** The machine's page sizes. */
  readonly sizes: readonly PageSize[];
  readonly onChange: (array: ArrayConfig) => void;
  readonly onRemove: () => void;
}

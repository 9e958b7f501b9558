/** Choices that more than one row offers. */
import type { Policy } from "../../engine/generated/Policy";

/** The policies under their usual names. */
export const POLICIES: readonly {
  readonly value: Policy;
  readonly word: string;
}[] = [
  { value: "lru", word: "lru" },
  { value: "fifo", word: "fifo" },
  { value: "random", word: "random" },
  { value: "tree-plru", word: "tree-plru" },
  { value: "bit-plru", word: "bit-plru" },
  { value: "mru3-plru4", word: "mru3-plru4" },
];

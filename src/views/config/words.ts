/** Choices that several rows offer. */
import type { Policy } from "../../engine/generated/Policy";

/** The replacement policies with their usual names. */
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

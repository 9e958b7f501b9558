/** Example programs in C. A test compiles and runs each, and checks its sentence on Skylake-SP with 4K pages. */
import arena from "./programs/arena.c?raw";
import arrays from "./programs/arrays.c?raw";
import btree from "./programs/btree.c?raw";
import columns from "./programs/columns.c?raw";
import hashjoin from "./programs/hashjoin.c?raw";
import list from "./programs/list.c?raw";
import malloc from "./programs/malloc.c?raw";
import mergejoin from "./programs/mergejoin.c?raw";
import rows from "./programs/rows.c?raw";
import shuffled from "./programs/shuffled.c?raw";
import spread from "./programs/spread.c?raw";
import stride from "./programs/stride.c?raw";
import structs from "./programs/structs.c?raw";
import tiles from "./programs/tiles.c?raw";
import tree from "./programs/tree.c?raw";
import untiled from "./programs/untiled.c?raw";
import { FIRST_BUILD } from "./build";
import type { CodeExample, CodePair } from "./scriptExamples";

/** The examples whose sentences are about misses of the first level; the others are about walks. */
const ABOUT_MISSES = [
  "c-tiles",
  "c-untiled",
  "c-hashjoin",
  "c-mergejoin",
  "c-structs",
  "c-arrays",
  "c-malloc",
  "c-arena",
  "c-stride",
  "c-spread",
];

type Row = readonly [
  id: string,
  name: string,
  about: string,
  code: string,
  see: string,
];

/** What each program does, and what to see. */
const ROWS: readonly Row[] = [
  [
    "c-rows",
    "row order",
    "The sum of a matrix, row by row",
    rows,
    "Each page of the matrix serves 512 numbers, so the line of the sum walks at most once for 512 accesses. Compare with column order.",
  ],
  [
    "c-columns",
    "column order",
    "The same sum, column by column",
    columns,
    "Nearly each access of the sum walks: a column lies on 2,048 pages, and the STLB has 1,536 entries. By rows, at most one of 512 walks.",
  ],
  [
    "c-tiles",
    "tiled order",
    "A transposition in tiles",
    tiles,
    "The line that copies has less than a fifth of the L1 misses that it has without tiles: the pages of a tile stay in the first level.",
  ],
  [
    "c-untiled",
    "no tiles",
    "The same transposition without tiles",
    untiled,
    "The line that copies misses the first level at nearly each store: a row of a goes to 512 pages of b.",
  ],
  [
    "c-list",
    "list in order",
    "A list in the order of its allocation",
    list,
    "The line of the sum walks at most once for 32 nodes: neighbours in the list share a page.",
  ],
  [
    "c-shuffled",
    "list in random order",
    "The same list, linked at random",
    shuffled,
    "The line of the sum walks for more than half of the nodes, at least ten times as often as in the order of allocation.",
  ],
  [
    "c-hashjoin",
    "hash join",
    "A hash table of one side",
    hashjoin,
    "The line that probes has more than half of the L1 misses: a hash goes to any page of its table. The rows of the large table are read in order.",
  ],
  [
    "c-mergejoin",
    "sort-merge join",
    "The same join by sorting",
    mergejoin,
    "More than three times the accesses of the hash join, and less than half of its L1 misses: sorting goes through memory in order.",
  ],
  [
    "c-btree",
    "B-tree",
    "Nodes of 4 KiB",
    btree,
    "A search reads three nodes, and each is one page: the lines of the search have less than half of the walks of the binary tree.",
  ],
  [
    "c-tree",
    "binary tree",
    "One key in each node",
    tree,
    "A search goes through up to 18 nodes, and each of the lower ones is on a page of its own.",
  ],
  [
    "c-structs",
    "array of structs",
    "One field of large structs",
    structs,
    "The line of the sum has 8 times the L1 misses that it has with a struct of arrays: a page holds 64 particles.",
  ],
  [
    "c-arrays",
    "struct of arrays",
    "The same field by itself",
    arrays,
    "The line of the sum has an eighth of the L1 misses of the array of structs: a page holds 512 masses.",
  ],
  [
    "c-malloc",
    "malloc",
    "Many lists that grow together",
    malloc,
    "The line of the sum misses the first level at nearly each node: the nodes of one list lie 1,000 nodes apart.",
  ],
  [
    "c-arena",
    "arena",
    "The same lists, each in its own block",
    arena,
    "The line of the sum has less than a tenth of the L1 misses with malloc: a list lies on one or two pages.",
  ],
  [
    "c-stride",
    "one set",
    "A stride that hits one set",
    stride,
    "All loads miss the first level, although 8 pages are few: they share one of its 16 sets, which has 4 ways.",
  ],
  [
    "c-spread",
    "all sets",
    "A stride that hits all sets",
    spread,
    "Only the first loads of the 8 pages miss the first level: each page belongs into another set.",
  ],
];

export const PROGRAM_EXAMPLES: readonly CodeExample[] = ROWS.map(
  ([id, name, about, code, see]) => ({
    id,
    name,
    about,
    see,
    code,
    build: FIRST_BUILD,
    count: ABOUT_MISSES.includes(id) ? "misses" : "walks",
  }),
);

const pair = (
  id: string,
  name: string,
  first: string,
  second: string,
  see: string,
): readonly CodePair[] => {
  const one = PROGRAM_EXAMPLES.find((each) => each.id === first);
  const other = PROGRAM_EXAMPLES.find((each) => each.id === second);
  return one && other ? [{ id, name, programs: [one, other], see }] : [];
};

export const PROGRAM_PAIRS: readonly CodePair[] = [
  ...pair(
    "c-rows-columns",
    "row order and column order",
    "c-rows",
    "c-columns",
    "The same sum: by columns, the line of the sum has hundreds of times the walks.",
  ),
  ...pair(
    "c-tiles-untiled",
    "with and without tiles",
    "c-tiles",
    "c-untiled",
    "The same transposition: with tiles, the line that copies has less than a fifth of the L1 misses.",
  ),
  ...pair(
    "c-list-shuffled",
    "list in order and in random order",
    "c-list",
    "c-shuffled",
    "The same nodes and the same sum: in random order, at least ten times the walks.",
  ),
  ...pair(
    "c-joins",
    "hash join and sort-merge join",
    "c-hashjoin",
    "c-mergejoin",
    "The same pairs: sorting needs more accesses, and has fewer L1 misses.",
  ),
  ...pair(
    "c-trees",
    "B-tree and binary tree",
    "c-btree",
    "c-tree",
    "The same searches: a node of 4 KiB saves more than half of the walks.",
  ),
  ...pair(
    "c-layouts",
    "array of structs and struct of arrays",
    "c-structs",
    "c-arrays",
    "The same field: an array of its own leaves an eighth of the L1 misses.",
  ),
  ...pair(
    "c-allocation",
    "malloc and arena",
    "c-malloc",
    "c-arena",
    "The same lists: with an arena for each, the line of the sum has less than a tenth of the L1 misses.",
  ),
  ...pair(
    "c-sets",
    "one set and all sets",
    "c-stride",
    "c-spread",
    "The same eight pages at two distances: one set has too few ways for them.",
  ),
];

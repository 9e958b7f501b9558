/** Example programs in JavaScript. Each is short, says what to see, and runs in seconds. The numbers are those of Skylake-SP with 4K pages. */
import type { LineQuantity } from "./lines";
import type { ProgramText } from "./code";

export interface CodeExample extends ProgramText {
  readonly id: string;
  /** What it does, for the menu. */
  readonly about: string;
  /** What to see, with its numbers. */
  readonly see: string;
  /** The count beside the lines that `see` is about; walks if it is missing. */
  readonly count?: LineQuantity;
}

const ROWS = `// A matrix of 2,048 × 2,048 numbers, row after row.
// A page of 4K holds 512 of them: one walk serves 512 accesses.
const n = 2048;
const m = array(n * n, 8);

for (let i = 0; i < n; i++)
  for (let j = 0; j < n; j++)
    load(m, i * n + j);
`;

const COLUMNS = `// The same matrix, column after column.
// A column lies on 2,048 pages of 4K; the STLB of Skylake-SP has 1,536 entries.
// There, with n = 1024, rows and columns have nearly equal walks.
const n = 2048;
const m = array(n * n, 8);

for (let j = 0; j < n; j++)
  for (let i = 0; i < n; i++)
    load(m, i * n + j);
`;

const TILES = `// A transposition: one matrix is read by rows, the other written by columns.
// Try tiles of 1, 8, 32, 128 and 1024: how many rows of a tile fit into level 1?
const n = 1024;
const tile = 32;
const from = array(n * n, 8);
const to = array(n * n, 8);

for (let i0 = 0; i0 < n; i0 += tile)
  for (let j0 = 0; j0 < n; j0 += tile)
    for (let i = i0; i < i0 + tile; i++)
      for (let j = j0; j < j0 + tile; j++) {
        load(from, i * n + j);
        store(to, j * n + i);
      }
`;

const LIST = `// A linked list whose nodes lie in memory in another order than in the list.
// Each node holds the address of the next: nothing can be fetched ahead.
const n = 20000;
const nodes = array(n, 64);

const order = [];
for (let i = 0; i < n; i++) order.push(i);
for (let i = n - 1; i > 0; i--) {
  const j = random(i + 1);
  const other = order[j];
  order[j] = order[i];
  order[i] = other;
}

for (let round = 0; round < 10; round++)
  for (const node of order)
    load(nodes, node); // the pointer to the next
`;

const JOIN = `// A hash join: the small side becomes a table, the large one probes it.
// Reading either side is cheap. Which line has the walks? See below.
const small = array(400000, 16);
const large = array(400000, 16);
const buckets = array(524288, 8);
const entries = array(400000, 24);

const hash = (key) => Math.imul(key, 0x9e3779b1) >>> 13;

for (let i = 0; i < small.length; i++) {
  load(small, i);
  store(entries, i);
  store(buckets, hash(i));
}

for (let i = 0; i < large.length; i++) {
  load(large, i);
  const key = random(small.length);
  load(buckets, hash(key));
  load(entries, key);
}
`;

const STRIDE = `// One access each \`stride\` bytes. From the size of a page on, every access is on another page.
const bytes = 8 * 1024 * 1024;
const stride = 4096;
const a = array(bytes, 1);

for (let round = 0; round < 20; round++)
  for (let i = 0; i < bytes; i += stride)
    load(a, i);
`;

const CONFLICT = `// Eight pages of 4K that lie 16 pages apart: the first-level TLB of Skylake-SP takes its set
// from the lowest four bits of the page number, so all of them belong into the same set.
const stride = 16 * 4096;
const a = array(8 * stride, 1);

for (let round = 0; round < 10000; round++)
  for (let i = 0; i < 8; i++)
    load(a, i * stride);
`;

const SEQUENTIAL = `// The same number of reads as “random reads”, one element after the other.
// A page of 4K serves 512 reads before the loop leaves it.
const megabytes = 16;
const a = array(megabytes * 131072, 8);

for (let i = 0; i < 500000; i++)
  load(a, i);
`;

const RANDOM = `// Random reads. The miss rate is about 1 − reach / size:
// make the array smaller until it fits into what the TLB reaches.
const megabytes = 16;
const a = array(megabytes * 131072, 8);

for (let i = 0; i < 500000; i++)
  load(a, random(a.length));
`;

const RING = `// A ring buffer between a producer and a consumer that is a few pages behind.
// What was just written is read soon: its page is still in the TLB.
const ring = array(32768, 64);
const behind = 1000;

for (let i = 0; i < 300000; i++) {
  store(ring, i % ring.length);
  if (i >= behind) load(ring, (i - behind) % ring.length);
}
`;

const STRUCTS = `// An array of structs: x, y, z, mass and 32 bytes that this loop does not need.
// Each struct takes 64 bytes of its page; the loop needs 8 of them.
const n = 100000;
const particles = array(n, 64);
const MASS = 24;

for (let round = 0; round < 5; round++)
  for (let i = 0; i < n; i++)
    load(particles, i, MASS);
`;

const ARRAYS = `// A struct of arrays: each field has an array of its own.
// The same loop as over structs touches an eighth of the pages.
const n = 100000;
const x = array(n, 8);
const y = array(n, 8);
const z = array(n, 8);
const mass = array(n, 8);

for (let round = 0; round < 5; round++)
  for (let i = 0; i < n; i++)
    load(mass, i);
`;

const UNTILED = TILES.replace("const tile = 32;", "const tile = 1024;");

export const SCRIPT_EXAMPLES: readonly CodeExample[] = [
  {
    id: "rows",
    name: "rows",
    about: "A matrix, row by row",
    see: "8,192 walks for 4,194,304 reads, all at the first touch of a page (faults): each page then serves 512 reads.",
    code: ROWS,
  },
  {
    id: "columns",
    name: "columns",
    about: "The same matrix, column by column",
    see: "4,193,792 walks for 4,194,304 reads, 512 times as many as by rows: a column lies on 2,048 pages, and the STLB has 1,536 entries. With n = 1024 a column fits: 2,176 walks, where rows have 2,048.",
    code: COLUMNS,
  },
  {
    id: "tiles",
    name: "tiles",
    about: "A transposition in tiles",
    see: "157,952 L1 misses, where the transposition without tiles has 1,050,624: a tile uses few pages, and they stay in the 64 entries of the first level.",
    code: TILES,
  },
  {
    id: "untiled",
    name: "no tiles",
    about: "The same transposition without tiles",
    see: "1,050,624 L1 misses for 2,097,152 accesses: each store is to another page than the one before. Only 4,248 need a walk, since the STLB holds the 1,024 pages of a column.",
    code: UNTILED,
  },
  {
    id: "sequential",
    name: "sequential reads",
    about: "One element after the other",
    see: "977 walks for 500,000 reads: one for each page.",
    code: SEQUENTIAL,
  },
  {
    id: "random",
    name: "random reads",
    about: "Random reads and the reach",
    see: "312,878 walks for 500,000 reads: the STLB has entries for 1,536 of 4,096 pages. Choose pages of 2M in the header: 8 walks.",
    code: RANDOM,
  },
  {
    id: "list",
    name: "linked list",
    about: "Chasing pointers",
    see: "159,720 L1 misses for 200,000 reads, and only 313 walks: the 313 pages are too many for the 64 entries of the first level, and few for the STLB.",
    code: LIST,
  },
  {
    id: "stride",
    name: "stride",
    about: "One access per stride",
    see: "40,448 walks for 40,960 reads: 2,048 pages in a circle, each evicted before its next read. With stride = 64, 2,621,440 reads have as many walks.",
    code: STRIDE,
  },
  {
    id: "conflict",
    name: "conflict",
    about: "Eight pages in one set",
    see: "All 80,000 reads miss level 1, although 8 pages are few: they share one of its 16 sets, which has 4 ways. With stride = 4096, 8 reads miss.",
    code: CONFLICT,
  },
  {
    id: "join",
    name: "hash join",
    about: "Build, then probe",
    see: "400,565 walks for 2,400,000 accesses, nearly all by the lines that use hash(…) or key: they access buckets and entries in random order.",
    code: JOIN,
  },
  {
    id: "ring",
    name: "ring buffer",
    about: "Producer and consumer",
    see: "512 walks for 599,000 accesses, one for each page: the consumer reads what was just written and never walks.",
    code: RING,
  },
  {
    id: "structs",
    name: "array of structs",
    about: "One field of large structs",
    see: "2,346 walks for 500,000 reads, where a struct of arrays has 196: a page holds 64 structs, and only 8 bytes of each are read.",
    code: STRUCTS,
  },
  {
    id: "arrays",
    name: "struct of arrays",
    about: "The same field by itself",
    see: "196 walks for 500,000 reads, where an array of structs has 2,346: a page holds 512 masses.",
    code: ARRAYS,
  },
];

/** Two examples to run next to each other. */
export interface CodePair {
  readonly id: string;
  readonly name: string;
  readonly programs: readonly [CodeExample, CodeExample];
  readonly see: string;
}

const pair = (
  id: string,
  name: string,
  first: string,
  second: string,
  see: string,
): readonly CodePair[] => {
  const one = SCRIPT_EXAMPLES.find((each) => each.id === first);
  const other = SCRIPT_EXAMPLES.find((each) => each.id === second);
  return one && other ? [{ id, name, programs: [one, other], see }] : [];
};

export const SCRIPT_PAIRS: readonly CodePair[] = [
  ...pair(
    "rows-columns",
    "rows and columns",
    "rows",
    "columns",
    "The same 4,194,304 reads in another order: 8,192 walks by rows, 4,193,792 by columns. A column lies on 2,048 pages, and the STLB has 1,536 entries.",
  ),
  ...pair(
    "sequential-random",
    "sequential and random reads",
    "sequential",
    "random",
    "500,000 reads of one array: 977 walks in order, 312,878 at random.",
  ),
  ...pair(
    "tiles-untiled",
    "with and without tiles",
    "tiles",
    "untiled",
    "The same transposition: 157,952 L1 misses with tiles, 1,050,624 without. Walks are nearly equal, 4,203 and 4,248: the STLB catches the rest.",
  ),
  ...pair(
    "structs-arrays",
    "array of structs and struct of arrays",
    "structs",
    "arrays",
    "One field of 100,000 structs, five times: 2,346 walks in an array of structs, 196 in an array of its own.",
  ),
];

/** Example loops. Each is short, says what to look at, and runs quickly. */
import type { LoopCode } from "./loop";

export interface LoopExample extends LoopCode {
  readonly id: string;
  /** What the example shows. */
  readonly about: string;
}

const ROWS = `// A matrix of 1,024 × 1,024 numbers, row after row.
// Each page holds half a row: one walk serves 512 accesses.
const n = 1024;
const m = array(n * n, 8);

for (let i = 0; i < n; i++)
  for (let j = 0; j < n; j++)
    load(m, i * n + j);
`;

const COLUMNS = `// The same matrix, column after column: only the loops have changed places.
// Each access is on another page than the one before.
const n = 1024;
const m = array(n * n, 8);

for (let j = 0; j < n; j++)
  for (let i = 0; i < n; i++)
    load(m, i * n + j);
`;

const TILES = `// A transposition: one matrix is read by rows, the other written by columns.
// Try tiles of 1, 8, 32, 128 and 1024: how many rows of a tile fit into the TLB?
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

const STRIDE = `// One access each \`stride\` bytes. Below a page, walks grow with the stride;
// from a page on, every access is on another one.
// Then try 4096 × 16: which sets of the TLB are used at all?
const bytes = 8 * 1024 * 1024;
const stride = 4096;
const a = array(bytes, 1);

for (let round = 0; round < 20; round++)
  for (let i = 0; i < bytes; i += stride)
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

export const LOOP_EXAMPLES: readonly LoopExample[] = [
  {
    id: "rows",
    name: "rows",
    about: "A matrix, row by row",
    code: ROWS,
  },
  {
    id: "columns",
    name: "columns",
    about: "The same, column by column",
    code: COLUMNS,
  },
  {
    id: "tiles",
    name: "tiles",
    about: "A transposition in tiles",
    code: TILES,
  },
  { id: "list", name: "linked list", about: "Chasing pointers", code: LIST },
  { id: "join", name: "hash join", about: "Build, then probe", code: JOIN },
  {
    id: "stride",
    name: "stride",
    about: "One access per stride",
    code: STRIDE,
  },
  {
    id: "random",
    name: "random reads",
    about: "Random reads and the reach",
    code: RANDOM,
  },
  {
    id: "ring",
    name: "ring buffer",
    about: "Producer and consumer",
    code: RING,
  },
  {
    id: "structs",
    name: "array of structs",
    about: "One field of large structs",
    code: STRUCTS,
  },
  {
    id: "arrays",
    name: "struct of arrays",
    about: "The same field by itself",
    code: ARRAYS,
  },
];

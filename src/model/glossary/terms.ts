/**
 * The terms that have a card, without their texts, which are one file per language. `picture` is a drawing and
 * its lit part; `show` is a link that opens the app at a state that shows the term.
 */

/** The drawings. Several terms share one and light different parts. */
export type Drawing =
  | "address"
  | "caches"
  | "chase"
  | "code"
  | "cores"
  | "curve"
  | "cycles"
  | "entry"
  | "grid"
  | "lookup"
  | "pages"
  | "pairs"
  | "sets"
  | "sizes"
  | "times"
  | "tree"
  | "worlds";

export interface TermData {
  readonly picture: readonly [drawing: Drawing, ...lit: readonly string[]];
  readonly see: readonly string[];
  readonly show?: string;
}

/** A walk that reads one entry, after a hit in the PDE cache. */
const WALK = "trace=chase&cpu=intel-skylake-sp&access=250642";
/** The first access: nothing is cached, nothing is mapped. */
const FIRST = "trace=chase&cpu=intel-skylake-sp&access=0";
/** A walk after a hit in the PDPTE cache. */
const UPPER_HIT = "trace=chase&cpu=intel-skylake-sp&access=35888";
/** An access to a page that a small machine does not map. */
const EXCEPTION = "trace=csapp&cpu=csapp-14bit&access=4";
const NESTED = `${WALK}&virt=ept`;
const CORES = "trace=shootdown&cpu=intel-skylake-sp&cores=cpu&access=60";

const DATA = {
  access: { picture: ["times", "access"], see: ["trace", "load"] },
  load: { picture: ["times", "kinds"], see: ["access", "dtlb"] },
  trace: {
    picture: ["times", "all"],
    see: ["access", "completeness", "lackey"],
  },
  completeness: { picture: ["times", "sampled"], see: ["trace", "lackey"] },
  lackey: { picture: ["times", "kinds"], see: ["trace", "completeness"] },
  "pointer-chase": {
    picture: ["chase", "links"],
    see: ["access", "trace"],
    show: FIRST,
  },
  "virtual-address": {
    picture: ["address", "number", "offset"],
    see: ["physical-address", "page-number", "offset"],
    show: WALK,
  },
  "physical-address": {
    picture: ["pages", "frame"],
    see: ["virtual-address", "frame"],
    show: WALK,
  },
  page: { picture: ["pages", "page"], see: ["frame", "page-number"] },
  frame: { picture: ["pages", "frame"], see: ["page", "physical-address"] },
  offset: { picture: ["address", "offset"], see: ["page-number", "page"] },
  "page-number": {
    picture: ["address", "number"],
    see: ["offset", "tag", "index"],
  },
  translation: {
    picture: ["pages", "arrow"],
    see: ["tlb", "page-walk", "translation-cycles"],
  },
  region: { picture: ["pages", "region"], see: ["page", "demand-paging"] },
  tlb: {
    picture: ["lookup", "l1", "l2"],
    see: ["page-walk", "set", "stlb"],
    show: WALK,
  },
  dtlb: { picture: ["lookup", "l1"], see: ["stlb", "load"], show: WALK },
  stlb: { picture: ["lookup", "l2"], see: ["tlb", "page-walk"], show: WALK },
  "pom-tlb": { picture: ["lookup", "walk"], see: ["stlb", "cache-levels"] },
  lookup: { picture: ["lookup", "arrows"], see: ["hit", "miss"] },
  entry: { picture: ["sets", "entry"], see: ["tag", "set"], show: WALK },
  set: { picture: ["sets", "set"], see: ["way", "index"], show: WALK },
  way: { picture: ["sets", "way"], see: ["set", "replacement"], show: WALK },
  tag: { picture: ["address", "tag"], see: ["index", "entry"] },
  index: { picture: ["address", "index"], see: ["index-function", "set"] },
  "index-function": {
    picture: ["address", "xor"],
    see: ["index", "set"],
    show: WALK,
  },
  hit: { picture: ["lookup", "hit"], see: ["miss", "tlb"] },
  miss: {
    picture: ["lookup", "miss"],
    see: ["hit", "page-walk", "compulsory"],
  },
  compulsory: {
    picture: ["times", "first"],
    see: ["miss", "first-touch"],
    show: "screen=what-if",
  },
  fill: { picture: ["sets", "fill"], see: ["evict", "miss"], show: WALK },
  evict: {
    picture: ["sets", "victim"],
    see: ["replacement", "fill"],
    show: WALK,
  },
  replacement: { picture: ["sets", "next"], see: ["evict", "pseudo-lru"] },
  "pseudo-lru": {
    picture: ["pairs", "path"],
    see: ["replacement", "evict"],
  },
  reach: {
    picture: ["curve", "reach"],
    see: ["working-set", "huge-page"],
    show: "screen=what-if",
  },
  "page-table": { picture: ["tree", "table"], see: ["level", "pte"] },
  level: {
    picture: ["tree", "levels"],
    see: ["page-table", "root", "leaf"],
    show: FIRST,
  },
  root: { picture: ["tree", "root"], see: ["page-walk", "pcid"], show: FIRST },
  pte: { picture: ["entry", "frame"], see: ["present", "ad", "rights"] },
  leaf: { picture: ["tree", "leaf"], see: ["pte", "huge-page"] },
  present: { picture: ["entry", "P"], see: ["page-fault", "pte"] },
  ad: { picture: ["entry", "A", "D"], see: ["pte", "rights"], show: FIRST },
  rights: {
    picture: ["entry", "U", "W", "XD"],
    see: ["page-fault", "pte"],
  },
  "page-walk": {
    picture: ["tree", "path"],
    see: ["reference", "walk-cache", "nested-walk"],
    show: FIRST,
  },
  reference: {
    picture: ["tree", "reads"],
    see: ["page-walk", "cache-levels"],
    show: FIRST,
  },
  "cold-walk": {
    picture: ["tree", "reads"],
    see: ["page-walk", "walk-cache"],
    show: FIRST,
  },
  "walk-cache": {
    picture: ["tree", "skip"],
    see: ["pde-cache", "page-walk"],
    show: UPPER_HIT,
  },
  "pde-cache": {
    picture: ["tree", "skip"],
    see: ["walk-cache", "level"],
    show: WALK,
  },
  "cache-levels": {
    picture: ["caches", "all"],
    see: ["reference", "memory-latency"],
  },
  "memory-latency": {
    picture: ["caches", "DRAM"],
    see: ["cache-levels", "walk-cycles"],
  },
  "huge-page": {
    picture: ["sizes", "big"],
    see: ["promotion", "reach", "leaf"],
    show: "screen=what-if",
  },
  promotion: { picture: ["sizes", "join"], see: ["huge-page"] },
  "first-touch": {
    picture: ["pages", "new"],
    see: ["demand-paging", "page-fault"],
    show: FIRST,
  },
  "demand-paging": {
    picture: ["pages", "new"],
    see: ["first-touch", "page-fault"],
    show: FIRST,
  },
  "page-fault": {
    picture: ["entry", "P"],
    see: ["first-touch", "present", "exception"],
    show: FIRST,
  },
  exception: {
    picture: ["entry", "denied"],
    see: ["page-fault", "error-code", "rights"],
    show: EXCEPTION,
  },
  "error-code": {
    picture: ["code", "user"],
    see: ["exception", "page-fault"],
    show: EXCEPTION,
  },
  "working-set": {
    picture: ["times", "window"],
    see: ["reach", "footprint", "stack-distance"],
    show: "screen=what-if",
  },
  footprint: {
    picture: ["times", "footprint"],
    see: ["working-set", "reach"],
    show: "screen=what-if",
  },
  "stack-distance": {
    picture: ["times", "distance"],
    see: ["miss-curve", "working-set"],
  },
  "miss-curve": {
    picture: ["curve", "line"],
    see: ["stack-distance", "reach"],
    show: "screen=what-if",
  },
  optimum: {
    picture: ["curve", "floor"],
    see: ["replacement", "miss-curve"],
  },
  "walk-cycles": {
    picture: ["cycles", "walk"],
    see: ["translation-cycles", "reference"],
    show: WALK,
  },
  "translation-cycles": {
    picture: ["cycles", "all"],
    see: ["walk-cycles", "stlb"],
    show: WALK,
  },
  pcid: { picture: ["cores", "tag"], see: ["root", "invalidate"] },
  invalidate: {
    picture: ["cores", "own"],
    see: ["shootdown", "stale"],
    show: CORES,
  },
  shootdown: {
    picture: ["cores", "all"],
    see: ["invalidate", "stale"],
    show: CORES,
  },
  stale: { picture: ["cores", "other"], see: ["shootdown"], show: CORES },
  native: {
    picture: ["pages", "arrow"],
    see: ["guest", "page-walk"],
    show: WALK,
  },
  guest: {
    picture: ["worlds", "guest", "host"],
    see: ["guest-physical", "vm-exit"],
    show: NESTED,
  },
  "guest-physical": {
    picture: ["worlds", "middle"],
    see: ["guest", "ept"],
    show: NESTED,
  },
  ept: {
    picture: ["worlds", "host"],
    see: ["nested-walk", "guest-physical"],
    show: NESTED,
  },
  "nested-walk": {
    picture: ["grid", "all"],
    see: ["ept", "nested-tlb", "page-walk"],
    show: NESTED,
  },
  "nested-tlb": {
    picture: ["grid", "rows"],
    see: ["nested-walk", "walk-cache"],
    show: NESTED,
  },
  "vm-exit": { picture: ["worlds", "exit"], see: ["guest", "ept"] },
} as const satisfies Readonly<Record<string, TermData>>;

export type TermId = keyof typeof DATA;

export const TERM_DATA: Readonly<Record<TermId, TermData>> = DATA;

/** In the order of the glossary page: from the address to virtual machines. */
export const TERM_IDS = Object.keys(DATA).filter(isTerm);

export function isTerm(text: string): text is TermId {
  return Object.hasOwn(DATA, text);
}

/** The terms that a card leads to. */
export function seeAlso(term: TermId): TermId[] {
  return TERM_DATA[term].see.filter(isTerm);
}

/**
 * The first screen in English: messages of ICU MessageFormat. `[words](term)` opens the card of a term. A paragraph
 * is a list of sentences, each a message.
 */
export const welcome = {
  steps: "First steps",
  title: "Every address your program uses must be translated. Watch one.",
  opening: "Opening a program …",
  access:
    "Access {index, number}: {kind, select, load {load} store {store} fetch {fetch} other {prefetch}}{size, plural, =0 {} one { of # byte} other { of # bytes}} at {address}.",
  step: "step {at, number} of {n, number}",
  nextStep: "Next step",
  nextAccess: "Next access",
  showAll: "Show everything",
  back: "Back",
  skip: "Skip",
  missed: "It was asked first, and had no entry for this page: a miss.",
  learn: "Learn",
  lessons: "Lessons, 5 minutes each",
  ownAddress: "Walk an address of your own",
  stepThrough: "Step through a program’s walks",
  glossary: "Glossary",
  csapp: "CS:APP, 14 bits",
  ostep: "OSTEP, 16-byte pages",
  belady: "4 entries, FIFO",
  program: "Run a program",
  runProgram: "Run a few lines of JavaScript or C",
  trace: "Open a trace",
  ownTrace: "A recording of your program, or an example",
  beforeTitle: "The address is virtual",
  before1: "A program sees [virtual addresses](virtual-address).",
  before2:
    "To find {address} in memory, the processor first asks its [TLBs](tlb), which keep recent translations of [pages](page) of {size}.",
  before3:
    "They have none for this page, so it has to walk the [page table](page-table).",
  readTitle: "{table} entry {index}",
  readRoot:
    "A register of the processor holds the address of the first table, the {table}.",
  read: "Bits {high} to {low} of the address are {index}: the walk reads entry {index} of the {table}.",
  readNext: "The [entry](pte) leads to the next table, the {next}.",
  readLast: "The [entry](pte) leads to the {size} page.",
  readCost:
    "The read took {cycles, plural, one {# cycle} other {# cycles}}, from {source}.",
  foundTitle: "Found: {cycles, plural, one {# cycle} other {# cycles}}",
  found1: "The page is in [frame](frame) {frame}.",
  found2:
    "With the last {bits, plural, one {# bit} other {# bits}}, the [offset](offset), its [physical address](physical-address) is {physical}.",
  found3:
    "The translation took {cycles, plural, one {# cycle} other {# cycles}}: {miss, number} for the miss in the {second}, {start, number} to start the walk, {reads, number} to read {refs, plural, one {# entry} other {# entries}}.",
  foundTouch:
    "It was the [first touch](first-touch) of this page: the operating system mapped it just before.",
  foundKept:
    "The {array} keeps the translation for the next access to this page.",
  walkTitle: "{cycles, plural, one {# cycle} other {# cycles}}",
  walk: "This access needed a walk, too.",
  hitTitle: "A hit: {cycles, plural, one {# cycle} other {# cycles}}",
  hit1: "This access is to the same page.",
  hit2: "The {array} holds its translation, so there is no walk: a [hit](hit).",
  hit3: "{walked, plural, one {# cycle} other {# cycles}} became {cycles, plural, one {# cycle} other {# cycles}}: the first TLB is looked up while the data cache is read, so its hits are free.",
  hit4: "How often that works is what Pagewalk counts, for your program and for the processor that you choose.",
};

export type Welcome = Readonly<Record<keyof typeof welcome, string>>;

/**
 * What a student reads in an exercise, in English: messages of ICU MessageFormat. `[words](term)` opens the card of a
 * term. Keys that begin with `q` are questions, those with `h` are hints.
 */
export const exercise = {
  title: "Exercise",
  about:
    "{n, plural, one {# question} other {# questions}} about a trace on {machine}. The simulator knows the answers.",
  how: "You answer before the machine moves. The pictures show the machine at that moment, without what would tell the answer. The rest you compute. Lessons 2 to 7, 11 and 12 teach what the questions ask.",
  attempts:
    "{n, plural, one {You have one attempt at each question.} other {You have # attempts at each question.}}",
  attemptsFree: "You can try each question as often as you like.",
  lockedParts: "Some pictures are missing on purpose.",
  programRuns:
    "The trace comes from a program in this exercise. It runs when you begin, in a sandbox without a network.",
  name: "Your name",
  nameWhy:
    "Your name chooses your numbers: another name gets other questions. Use the name that your teacher knows.",
  begin: "Begin",
  goOn: "Go on",
  kept: "This browser has {n, plural, one {# answer} other {# answers}} of this name. You go on there.",
  opening: "The simulator runs the trace …",
  where: "question {at, number} of {n, number}",
  questions: "Questions",
  stepName: "Question {at, number}",
  stepRight: "Question {at, number}, right",
  stepWrong: "Question {at, number}, not right",
  next: "Next question",
  finish: "Finish",
  back: "Back",
  skip: "Skip",
  left: "{n, plural, =0 {no attempt left} one {# attempt left} other {# attempts left}}",
  picture: "Live picture",
  waits: "access {at, number} has not run yet",
  ran: "access {at, number}",
  hidden: "This exercise hides all pictures.",
  resultTitle: "Your answers",
  score: "{right, number} of {n, number} right.",
  open: "{n, plural, one {# question has no answer yet.} other {# questions have no answer yet.}}",
  lineTitle: "Hand this line in",
  lineWhy:
    "It holds your name, your answers, your tries and the seconds. Paste the whole line where your teacher asks for it, or hand in the file.",
  copy: "Copy",
  copied: "Copied.",
  notCopied: "The browser does not allow to copy. Select the line.",
  save: "Save file",
  saved: "Saved as {file}.",
  again: "Back to the questions",
  asOther: "Another name",
  rename: "{name}: another name",
  lessons: "Lessons",
  rightMark: "right",
  wrongMark: "not right",
  openMark: "no answer",
  secondsMark: "{n, number} s",
  triesMark: "{n, plural, one {# try} other {# tries}}",
  wanted: "Open an exercise",
  wantedWhy:
    "Open the link of your teacher, or drop the file of the exercise here.",
  choose: "Choose a file",
  grade: "Grade answers",
  problemDamaged:
    "The exercise in this link is damaged. Was the link cut short? Ask for the whole link.",
  problemNewer:
    "A newer version of Pagewalk made this exercise. Reload the page, or open it on the newer site.",
  problemFile: "This file is no exercise of Pagewalk.",
  problemWrong: "The exercise cannot be opened: {why}",
  qOutcome:
    "A {kind, select, load {load} store {store} fetch {fetch} other {prefetch}} uses {address}. Is it a [hit](hit) in any level of the TLB, a [miss](miss), or a [fault](page-fault)?",
  qSet: "In which [set](set) of the {array} does the processor look for {address}?",
  qWay: "In which way of its set does the {array} hold the page of {address} after this access?",
  qVictim:
    "Which page leaves the {array} so that the page of {address} can come in? Write its page number, or none.",
  qPageNumber: "What is the [page number](page) of {address}?",
  qOffset: "What is the [offset](offset) of {address} in its page?",
  qIndex: "Which index does {address} have in the {table}?",
  qTag: "Which [tag](tag) does the {array} compare for {address}?",
  qReferences:
    "How many page-table entries does the [walk](page-walk) for {address} read?",
  qEntryAddress:
    "At which physical address is the {table} entry that the walk for {address} reads?",
  qPageSize: "How large is the page that holds {address}?",
  qFaultCode:
    "A {kind, select, load {load} store {store} fetch {fetch} other {prefetch}} at {address} ends with a [page fault](page-fault). What is its error code?",
  qPhysical: "To which physical address is {address} translated?",
  qCycles: "How many cycles does the translation of {address} take?",
  qWalks:
    "From access 0 to access {at, number}, both included: how many [walks](page-walk) are there?",
  qFaults:
    "From access 0 to access {at, number}, both included: how many [page faults](page-fault) are there?",
  qPages:
    "From access 0 to access {at, number}, both included: how many different pages are used?",
  qReferencesSoFar:
    "From access 0 to access {at, number}, both included: how many page-table entries do the walks read?",
  qCyclesSoFar:
    "From access 0 to access {at, number}, both included: how many cycles do the translations take?",
  qMisses:
    "From access 0 to access {at, number}, both included: how many lookups miss in the {array}?",
  qHits:
    "From access 0 to access {at, number}, both included: how many lookups hit in the {array}?",
  hOutcome:
    "Look for the page number in its set of each TLB array, first level and second level. If no entry has it, the page table decides.",
  hOutcome2:
    "An entry in the first or the second level: hit. None, but the page table maps the page: miss. Neither: fault. If the system maps pages at their first touch, that touch is a fault.",
  hSet: "Bits of the page number choose the set.",
  hSet2:
    "This array has {sets, number} sets: take the lowest {bits, plural, =0 {# bits} one {# bit} other {# bits}} of the page number.",
  hSetXor:
    "This array has {sets, number} sets. It combines the lowest {bits, number} bits of the page number with the next ones by xor.",
  hSetMasks:
    "This array has {sets, number} sets. Each bit of the set is the xor of some bits of the page number, which a mask chooses.",
  hWay: "A hit uses the way that holds the page. A miss fills an empty way first, then that of the victim.",
  hWay2: "Each set has {ways, number} ways, numbered from 0.",
  hVictim:
    "An entry leaves only if its set is full. If a way is empty, the answer is none. In a full set, the replacement policy of the array chooses.",
  hVictim2:
    "This array has {ways, number} ways in a set. Its policy is {policy}: {policy, select, lru {the entry leaves that was used least recently} fifo {the entry leaves that came first} random {a random entry leaves} other {a [pseudo-LRU](pseudo-lru) policy, which approximates LRU with a few bits and never evicts the entry that was used last}}.",
  hPageNumber: "The page number is the address without the offset.",
  hPageNumber2:
    "A page here has {bits, number} bits of offset: remove the lowest {bits, number} bits.",
  hOffset: "The offset is the low end of the address: the place in the page.",
  hOffset2: "A page here has {bits, number} bits of offset.",
  hIndex: "Each level of the page table has its own group of address bits.",
  hIndex2:
    "For this table, take the bits {high, number} to {low, number} of the address.",
  hTag: "The tag is what remains of the page number without the bits of the set.",
  hTag2:
    "This array has {sets, number} sets: remove {bits, plural, =0 {# bits} one {# bit} other {# bits}} from the low end of the page number.",
  hReferences:
    "Without a walk cache, a walk reads one entry of each level, from the root down to the page. A TLB hit reads none.",
  hReferences2:
    "The table has {levels, number} levels. A larger page ends the walk earlier, and a walk cache skips levels.",
  hEntryAddress:
    "An entry is in its table, at the index times the size of an entry.",
  hEntryAddress2:
    "Take the bits {high, number} to {low, number} of the address as the index. An entry here has {bytes, number} bytes.",
  hPageSize: "The level at which the walk ends says how large the page is.",
  hFaultCode:
    "Each bit answers one question: present, write, user, reserved, fetch.",
  hFaultCode2:
    "Bit 0: the page was present. Bit 1: a write. Bit 2: user mode. Bit 4: an instruction fetch.",
  hPhysical: "The frame replaces the page number. The offset stays.",
  hPhysical2:
    "The last entry of the walk holds the frame. Put the lowest {bits, number} bits of the address behind it.",
  hCycles:
    "A hit in the second level costs its lookup. A miss in both costs that lookup, the start of the walk, and each reference: its time depends on the cache that has the entry.",
  hCycles2: "A hit in the first level takes no extra cycle.",
  hNumber: "Count from access 0, and count this access, too.",
  hNumber2: "Count by page: accesses to a page that is still in the array hit.",
  hNumberFirst:
    "Only the first touch of a page ends with a fault. Count each page when it comes for the first time.",
  knownAccesses: "Accesses until here",
  knownEarlier:
    "The last 64 accesses. {n, plural, one {# earlier access is} other {# earlier accesses are}} in the trace.",
  knownAccess: "access",
  knownKind: "kind",
  knownAddress: "address",
  knownPage: "page number",
  knownTable: "Page table before the access",
  knownNoPages:
    "No page is mapped yet. The system maps a page at its first touch, after a page fault.",
  knownFirstTouch:
    "These pages are mapped. The system maps another one at its first touch, after a page fault.",
  knownOthers:
    "{n, plural, one {# more page, further away, is} other {# more pages, further away, are}} mapped.",
  knownFrame: "frame",
  knownSize: "size",
  knownRules:
    "{array}: {shape}. {index, select, masks {Each bit of the set is the xor of some bits of the page number.} xor {The set is the xor of two groups of low page number bits.} other {The set is given by the low bits of the page number.}} Replacement policy: {policy}.",
};

export type ExerciseTexts = Readonly<Record<keyof typeof exercise, string>>;

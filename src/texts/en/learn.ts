/**
 * The screen Learn in English: messages of ICU MessageFormat. The second half says, by mistake, what a reader
 * probably did.
 */
export const learn = {
  title: "Learn",
  about:
    "Each lesson is one idea, one machine and a few questions. The simulator answers them, in the same pictures as in Replay.",
  shortCourse:
    "The short course is {n, plural, one {# lesson} other {# lessons}}, {minutes, plural, one {# minute} other {# minutes}}.",
  noLessons: "This version has no lessons.",
  noLesson: "There is no lesson “{lesson}”.",
  kept: "Your answers stay in this browser.",
  keptNone: "So far there are none.",
  save: "Save progress",
  notSaved: "This browser cannot create the file",
  forget: "Delete my answers",
  load: "Load progress",
  noProgress:
    "“{file}” is no file that “Save progress” made. Your progress stays as it was.",
  calibration: "How sure were you?",
  rightAtOnce: "Right at the first try",
  rightOf: "{right, number} of {n, number} right",
  calibrationVerdict:
    "{verdict, select, few {After five answers with “How sure?”, this says whether you know what you know.} over {You are surer than you are right. Before you say “certain”, check one more time.} fairly {When you are fairly sure, you are right in less than half of the cases: look at the picture once more first.} under {You know more than you think: most of your guesses are right.} other {You know what you know: your answers fit how sure you were.}}",
  onlyLessons: "Answers to exercises are not counted.",
  short: "short course",
  minutes: "{n, plural, one {# minute} other {# minutes}}",
  questions: "{n, plural, one {# question} other {# questions}}",
  notBegun: "not begun",
  read: "read",
  step: "step {at, number} of {n, number}",
  score: "{right, number} of {answered, number} right first time",
  whereAndScore: "{where}, {score}",
  seen: "Steps of “{title}” that you have seen",
  onlyEnglish: "This lesson is in English only.",
  theLesson: "The lesson",
  lessonOf: "Lesson {at, number} of {n, number}",
  stepName: "Step {at, number}",
  stepAnswered:
    "Step {at, number}, answered {verdict, select, right {right} other {wrong}}",
  change: "Change one thing, in Replay",
  back: "Back",
  answerFirst: "Answer the question first",
  nextStep: "Next step",
  nextLesson: "Next lesson",
  allLessons: "All lessons",
  shortAt: "Short course: lesson {at, number} of {n, number}",
  comesNext: "What comes next",
  shortDone:
    "You have finished the short course. Next: an exercise, or the other lessons.",
  allDone: "This was the last lesson. Next: an exercise.",
  toExercise: "Do an exercise",
  resume: "Continue: lesson {at, number}, step {step, number}",
  question: "Question",
  waits: "before access {at, number}",
  hint: "hint",
  hinted: "Hint:",
  howSure: "How sure?",
  howSureAreYou: "How sure are you?",
  guess: "guess",
  fairly: "fairly",
  certain: "certain",
  run: "Run it",
  changeFirst: "Change the answer first",
  right: "Right.",
  wrong: "{given}: not so.",
  unknownMistake: "Look at the picture again, or take a hint.",
  answer: "The answer is `{answer}`.",
  reveal: "Show the answer",
  notPosed: "The simulator cannot pose this question:",
  decimal: "A decimal number",
  hexadecimal: "A hexadecimal number",
  choice:
    "{choice, select, hit {hit} miss {miss} fault {fault} none {none} other {{choice}}}",
  kind: "{kind, select, load {load} store {store} fetch {fetch} other {prefetch}}",
  picture: "Live picture",
  moment: "{machine} · access {at, number}",
  momentBefore: "{machine} · access {at, number} has not run yet",
  openInReplay: "Open in Replay",
  print: "Print",
  yourName: "Name:",
  answersTo: "Answers to “{title}”",
  computed: "The simulator computed these answers.",
  opening: "Opening the machine …",
  programs: "The programs",
  runBoth: "{n, plural, one {Run it} other {Run both}}",
  running: "Running …",
  runPrograms: "Run them on the Code screen",
  backToLesson: "Back to the lesson, step {step, number}",
  machineOfLesson:
    "This is the machine of the lesson. Step through it, and change what you like.",
  close: "Close",
  press:
    "You may also click {what, select, set {a set} way {a way} victim {an entry} other {a part of the address}} in the picture.",
  fromSimulator:
    "The answer comes from the simulator, not from an answer sheet.",
  yourAnswer: "your answer:",
  answerName:
    "{kind, select, set {set {answer}} way {way {answer}} other {{answer}}}",
  runAndSee: "Run it, and see.",
  setsTo: "The {array} has sets 0 to {last, number}.",
  waysTo: "A set of the {array} has ways 0 to {last, number}.",
  noneLeaves: "You expect an empty way: no entry leaves.",
  noSuchEntry: "No entry of the picture has this page.",
  wayHolds:
    "Way {way} holds page {page}, last use from access {at, number} on.",
  wayEmpty: "Way {way} is empty.",
  setEmpty:
    "Set {set} is empty: {ways, plural, one {its way is free} other {all # ways are free}}.",
  setFull:
    "{ways, plural, one {The way of set {set} is taken} other {All # ways of set {set} are taken}}. If you are right and the page is not among them, one must leave.",
  setPart:
    "{used, plural, one {# of {ways} ways of set {set} is taken} other {# of {ways} ways of set {set} are taken}}.",
  tlbOf: "TLB of {cores, select, cpu {processor} other {thread}} {core}",

  "offset-for-set":
    "Those are bits of the offset. The set is in the page number.",
  "tag-for-set":
    "That is the tag. The low bits of the page number lead to the set.",
  "page-for-set": "That is the whole page number. A set has only a few bits.",
  "low-bits-for-xor":
    "Those are the low bits alone. This array combines them with other bits.",
  "set-for-tag": "That is the set. The tag is the rest of the page number.",
  "page-for-tag":
    "That is the whole page number. The tag lacks the bits of the set.",
  "offset-for-tag":
    "Those are bits of the offset. The tag is in the page number.",
  "tag-for-page":
    "That is the tag: the page number without the bits of the set.",
  "offset-for-page":
    "That is the offset. The page number is the bits above it.",
  "address-for-page": "That is the address. The page number lacks the offset.",
  "frame-for-page":
    "That is the frame, which the translation gives. The page number is in the address.",
  "page-for-offset":
    "That is the page number. The offset is the bits below it.",
  "address-for-offset":
    "That is the whole address. The offset is its low bits.",
  "page-for-index":
    "That is the whole page number. An index is only the bits of one level.",
  "offset-for-index":
    "Those are bits of the offset. The indices are in the page number.",
  "other-page-size": "That is right for pages of another size.",
  "other-level": "That belongs to another level.",
  "set-for-way": "That is the set. The way is the place inside the set.",
  "newest-for-oldest":
    "That entry was used last. The policy of this array evicts another one.",
  "first-in-for-least-recent": "That entry came first, but it was used later.",
  "least-recent-for-first-in":
    "That entry has been unused for longest, but this array evicts the one that came first.",
  "least-recent-for-policy":
    "That entry has been unused for longest, but this array does not keep the order of uses.",
  "victim-for-empty": "The set has an empty way, so no entry leaves.",
  "empty-for-victim": "The set is full, so an entry leaves.",
  "other-set": "That entry is in another set.",
  "hit-for-miss": "No entry of the set has this tag.",
  "hit-for-fault": "No entry of the set has this tag.",
  "miss-for-hit":
    "A walk follows only if no array has the page. Look into all of them.",
  "miss-for-fault":
    "The page table has no entry yet: a page fault, after which the system maps it.",
  "fault-for-hit": "This page is mapped.",
  "fault-for-miss": "This page is mapped.",
  "first-touch-for-miss": "The page is mapped already: this is no first touch.",
  "levels-for-references":
    "That is the number of levels. A walk cache saves some of the reads.",
  "one-table-too-many": "One less: the last entry leads to the page itself.",
  "guest-for-nested":
    "Those are the entries of the guest. Each address in them needs a walk of the host, too.",
  "table-for-entry":
    "That is where the table begins. Add the index times the size of an entry.",
  "index-for-address":
    "That is the index. The address is the table plus the index times the size of an entry.",
  "index-without-size":
    "An entry has several bytes: multiply the index by them.",
  "value-for-address":
    "That is what the entry holds. The question is where it is.",
  "present-bit": "Bit 0 says whether the page was present.",
  "write-bit": "Bit 1 says whether the access was a write.",
  "user-bit": "Bit 2 says whether the access came from user mode.",
  "fetch-bit": "Bit 4 says whether the access fetched an instruction.",
  "offset-lost": "That is the start of the frame. Add the offset.",
  "virtual-for-physical":
    "That is the virtual address. The frame replaces the page number.",
  "frame-for-physical":
    "That is the number of the frame. Its address has the offset behind it.",
  "glued-frame-and-offset":
    "Those are the digits of the frame and of the offset, side by side. Write both in bits: the offset has as many as the page size says.",
  "guest-for-host":
    "That is the address in the guest. The host translates it once more.",
  "lookup-lost": "The miss of the second level costs cycles, too.",
  "overhead-lost": "The start of the walk costs cycles, too.",
  "references-for-cycles":
    "That is the number of references. Each takes the cycles of the cache that has it.",
  "one-access-short": "That leaves out the last access. The count includes it.",
  "one-access-more":
    "That counts one access too many: the next one has not happened yet.",
  "one-off": "That is one off: count again, from access 0 up to this access.",
  "access-for-total":
    "That is this access alone. Count all accesses since the start.",
  "hits-for-misses": "Those are the hits. The misses are the other lookups.",
  "misses-for-hits": "Those are the misses. The hits are the other lookups.",
  "walks-for-misses":
    "Those are the walks. An array also misses when another level hits.",
  "misses-for-walks":
    "Those are the misses of the first level. The second level answers some of them without a walk.",
  "pages-for-misses":
    "That counts each page once. An entry that was evicted misses again.",
  "accesses-for-pages": "Those are the accesses. Count each page once.",
  "walks-for-faults":
    "Those are the walks. Only a walk that finds no page is a fault.",
  "walks-for-references":
    "Those are the walks. Count each entry that a walk reads.",
  "decimal-for-hexadecimal":
    "The number is right in decimal; the answer is hexadecimal.",
  "hexadecimal-for-decimal":
    "The number is right in hexadecimal; the answer is decimal.",
  "other-base": "That is the right number in another base.",
};

export type Learn = Readonly<Record<keyof typeof learn, string>>;

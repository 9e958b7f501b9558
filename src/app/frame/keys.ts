/** The list of shortcut keys, which loads with its dialog. `useKeys.ts` acts on them. */
interface Key {
  /** The keys, as the list of shortcuts shows them. */
  readonly keys: readonly string[];
  readonly does: string;
}

/** The shortcuts, in the order of the list that `?` shows. */
export const KEYS: readonly Key[] = [
  { keys: ["space"], does: "play or pause" },
  { keys: ["←", "→"], does: "one access back or forward" },
  { keys: ["⇧→", "⇧←"], does: "next or previous L1 miss" },
  { keys: ["W", "⇧W"], does: "next or previous walk" },
  { keys: ["F", "⇧F"], does: "next or previous page fault or exception" },
  { keys: ["O", "⇧O"], does: "next or previous operation between accesses" },
  { keys: ["Home", "End"], does: "first or last access" },
  { keys: ["/"], does: "go to an access, find an address, load an address" },
  { keys: ["Ctrl V"], does: "open pasted lines as a trace" },
  { keys: ["G"], does: "generate a trace" },
  { keys: ["E"], does: "edit the machine" },
  { keys: ["T"], does: "totals of the run" },
  { keys: ["S"], does: "save the run" },
  {
    keys: ["⇧ drag", "C"],
    does: "count only a part of the trace, on the timeline",
  },
  { keys: ["D"], does: "plain or expert: fewer or all details" },
  { keys: ["P"], does: "projector: larger text, or the usual text" },
  { keys: ["Ctrl Z", "Ctrl ⇧Z"], does: "undo or redo a change of the machine" },
  {
    keys: ["Ctrl K"],
    does: "find a command, a screen, an example, a CPU or a term",
  },
  { keys: ["Esc"], does: "close the newest message" },
  { keys: ["?"], does: "this list" },
];

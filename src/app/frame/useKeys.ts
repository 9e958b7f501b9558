/** Shortcut keys that work everywhere except in text fields and controls that use the key. */
import { useEffect } from "react";
import type { Actions } from "../../state/actions";
import { runToSave } from "../../state/compare/runToSave";
import { isGated } from "../../state/selectors";
import type { AppStore } from "../../state/store";

export type Dialog =
  "find" | "keys" | "import" | "generate" | "setup" | "save" | "cite";

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
  { keys: ["F", "⇧F"], does: "next or previous fault" },
  { keys: ["O", "⇧O"], does: "next or previous operation between accesses" },
  { keys: ["Home", "End"], does: "first or last access" },
  { keys: ["/"], does: "go to an access or find a page" },
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
  { keys: ["Esc"], does: "close the newest message" },
  { keys: ["?"], does: "this list" },
];

/** The keys that work on every screen. */
const EVERYWHERE = ["?", "Escape", "d", "g", "p"];

export interface KeyTargets {
  readonly store: AppStore;
  readonly actions: Actions;
  readonly openDialog: (dialog: Dialog) => void;
  readonly toggleEditor: () => void;
  readonly toggleTotals: () => void;
}

export function useKeys(targets: KeyTargets): void {
  const { store, actions, openDialog, toggleEditor, toggleTotals } = targets;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTaken(event)) return;
      const targets = {
        store,
        actions,
        openDialog,
        toggleEditor,
        toggleTotals,
      };
      if (act(event, targets)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [store, actions, openDialog, toggleEditor, toggleTotals]);
}

/** Returns whether the key was handled. */
function act(
  event: KeyboardEvent,
  { store, actions, openDialog, toggleEditor, toggleTotals }: KeyTargets,
): boolean {
  const direction = event.shiftKey ? -1 : 1;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z" && store.getState().screen === "what-if") {
      if (!event.shiftKey) actions.undoWhatIf();
      return true;
    }
    if (key !== "z" || !isReplay(store)) return false;
    void (event.shiftKey ? actions.redo() : actions.undo());
    return true;
  }
  if (event.altKey) return false;
  // The other keys belong to the replay.
  if (!isReplay(store) && !EVERYWHERE.includes(key)) return false;
  switch (key) {
    case " ":
      actions.toggle();
      return true;
    case "ArrowRight":
    case "ArrowLeft": {
      const by = key === "ArrowRight" ? 1 : -1;
      void (event.shiftKey
        ? actions.jump({ what: "l1-miss" }, by)
        : actions.step(by));
      return true;
    }
    case "w":
      void actions.jump({ what: "walk" }, direction);
      return true;
    case "f":
      void actions.jump({ what: "fault" }, direction);
      return true;
    case "o":
      void actions.jump({ what: "operation" }, direction);
      return true;
    case "Home":
      void actions.goTo(0);
      return true;
    case "End":
      void actions.goTo((store.getState().trace?.n_accesses ?? 1) - 1);
      return true;
    case "/":
      openDialog("find");
      return true;
    case "?":
      openDialog("keys");
      return true;
    case "Escape":
      return dismissNewest(store, actions);
    case "g":
      openDialog("generate");
      return true;
    case "d":
      actions.showPlain(!store.getState().plain);
      return true;
    case "p":
      actions.toggleProjector();
      return true;
    case "e":
      toggleEditor();
      return true;
    case "s":
      if (runToSave(store.getState())) openDialog("save");
      return true;
    case "t":
      toggleTotals();
      return true;
    default:
      return false;
  }
}

function isReplay(store: AppStore): boolean {
  const state = store.getState();
  return state.screen === "replay" && !state.welcome && !isGated(state);
}

/** Dismisses the newest message first, the import summary last. Returns false if there was none. */
function dismissNewest(store: AppStore, actions: Actions): boolean {
  const { notices, showsImport } = store.getState();
  const newest = notices.at(-1);
  if (newest) actions.dismiss(newest.id);
  else if (showsImport) actions.showImport(false);
  return newest !== undefined || showsImport;
}

/** Returns whether the focused element uses the key itself, or a dialog is open. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.closest(
      "input:not([type=range]):not([type=radio]), textarea, select, [contenteditable]",
    )
  )
    return true;
  // Escape closes a drawer from inside.
  if (key === "Escape" && target.closest(".config, .totals")) return true;
  if (target.closest('[aria-modal="true"], [role="listbox"], [role="menu"]'))
    return true;
  const isArrow = key.startsWith("Arrow") || key === "Home" || key === "End";
  if (isArrow)
    return (
      target.closest(
        "input, [role=slider], [role=tablist], [role=grid], [role=application], [role=radiogroup]",
      ) !== null
    );
  return (
    key === " " &&
    target.closest(
      "button, a, summary, [role=button], [role=tab], input[type=radio]:not(:checked), [role=dialog] input[type=radio]",
    ) !== null
  );
}

/** Shortcut keys that work everywhere except in text fields and controls that use the key. */
import { useEffect } from "react";
import type { Actions } from "../../state/actions";
import { runToSave } from "../../state/compare/runToSave";
import { isGated } from "../../state/selectors";
import type { Screen } from "../../model/permalink/permalink";
import type { AppStore } from "../../state/store";

export type Dialog =
  | "find"
  | "keys"
  | "import"
  | "generate"
  | "setup"
  | "save"
  | "cite"
  | "machines"
  | "ask"
  | "palette";

/** The keys that work on every screen. */
const EVERYWHERE = ["?", "Escape", "d", "g", "p"];

/** The screens whose pickers change the machine. */
const WITH_MACHINE: readonly Screen[] = [
  "replay",
  "compare",
  "samples",
  "code",
];

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
      if (event.defaultPrevented) return;
      // Text fields have no use for this key.
      if (isPalette(event)) {
        event.preventDefault();
        openDialog("palette");
        return;
      }
      if (isTaken(event)) return;
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
    const isRedo = key === "y" || event.shiftKey;
    if (key !== "z" && key !== "y") return false;
    const { screen } = store.getState();
    if (screen === "what-if")
      void (isRedo ? actions.redoWhatIf() : actions.undoWhatIf());
    else if (WITH_MACHINE.includes(screen))
      void (isRedo ? actions.redo() : actions.undo());
    else return false;
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

function isPalette({ target, key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const isInDialog =
    target instanceof HTMLElement && target.closest('[role="dialog"]') !== null;
  return (ctrlKey || metaKey) && key.toLowerCase() === "k" && !isInDialog;
}

/** Returns whether the focused element uses the key itself, or a dialog is open. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.closest(
      "input:not([type=range], [type=radio], [type=checkbox]), textarea, [contenteditable]",
    )
  )
    return true;
  // Escape closes a drawer from inside.
  if (key === "Escape" && target.closest(".config, .totals")) return true;
  // Lists and menus that float take letters, too: they select what is typed.
  if (target.closest('[aria-modal="true"], .popover, [role="menu"]'))
    return true;
  const isArrow = key.startsWith("Arrow") || key === "Home" || key === "End";
  if (isArrow)
    return (
      target.closest(
        "input, select, [role=slider], [role=listbox], [role=tablist], [role=grid], [role=application], [role=radiogroup]",
      ) !== null
    );
  return (
    key === " " &&
    target.closest(
      "button, a, summary, select, [role=button], [role=tab], input[type=checkbox], input[type=radio]:not(:checked), [role=dialog] input[type=radio]",
    ) !== null
  );
}

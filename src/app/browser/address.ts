/** Keeps the part of the address after `#` equal to what is shown, and shows what the user puts there. */
import { encodePermalink } from "../../model/permalink/permalink";
import type { Screen } from "../../model/permalink/permalink";
import type { Actions } from "../../state/actions";
import { permalink } from "../../state/selectors";
import type { AppState, AppStore } from "../../state/store";

/** Browsers reject more than about 100 changes of the address in 30 s. */
const WAIT_MS = 500;

/** The text that the page wrote after `#` or read there; any other text is still being opened. */
let known = location.hash;

export function followAddress(store: AppStore, actions: Actions): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let nFollowed = 0;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const now = store.getState();
    // An address from the user is shown before it is overwritten.
    if (nFollowed > 0 || location.hash !== known || !isThere(now)) return;
    writeAddress(now);
  };
  const keepUp = () => {
    if (timer === undefined && isSettled(store.getState()))
      timer = setTimeout(() => {
        timer = undefined;
        if (isSettled(store.getState())) write();
      }, WAIT_MS);
  };
  store.subscribe(keepUp);
  // A link leaves a history entry that Back returns to; while playing, it has what was shown last.
  addEventListener(
    "click",
    (event) => {
      const isAhead = timer !== undefined || store.getState().playing;
      if (linkOf(event) && isAhead) write();
    },
    true,
  );
  const follow = () => {
    known = location.hash;
    nFollowed += 1;
    void actions.open(known).finally(() => {
      nFollowed -= 1;
      keepUp();
    });
  };
  // A link names what its press showed, so it is opened before anything else changes. The browser would open it
  // later, and ignore a link to the address that is not overwritten yet.
  addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!link?.matches("[href^='#']") || !isPlain(event)) return;
    event.preventDefault();
    if (link.hash !== location.hash) history.pushState(null, "", link.href);
    follow();
  });
  // Only the user changes the address in this way; `pushState` and `replaceState` fire no event.
  addEventListener("hashchange", follow);
}

function linkOf({ target }: Event): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest("a[href]") : null;
}

/** Returns whether the link opens on this page, in this tab. */
function isPlain(event: MouseEvent): boolean {
  const { defaultPrevented, ctrlKey, metaKey, shiftKey, altKey } = event;
  return !(defaultPrevented || ctrlKey || metaKey || shiftKey || altKey);
}

/** The part of an address after `#`, on this screen if it names none. */
export function asScreen(hash: string, screen: Screen): string {
  if (new URLSearchParams(hash.slice(1)).has("screen")) return hash;
  return `#screen=${screen}${hash.length > 1 ? `&${hash.slice(1)}` : ""}`;
}

/** The address of what is on the screen, for copying. */
export function addressOf(state: AppState): string {
  const address = new URL(location.href);
  address.hash = encodePermalink(permalink(state));
  return address.href;
}

/** Returns whether the screen shows the current configuration, or needs no run. */
function isThere({ screen, stale, snapshot, trace }: AppState): boolean {
  if (isWithoutRun(screen)) return true;
  return !stale && (snapshot !== undefined || trace?.n_accesses === 0);
}

/** Returns whether the screen is complete and no playback is running. */
function isSettled(state: AppState): boolean {
  const { screen, playing } = state;
  return (isWithoutRun(screen) || !playing) && isThere(state);
}

/** Returns whether the screen needs no run of the replay. */
function isWithoutRun(screen: AppState["screen"]): boolean {
  return ["learn", "experiments", "code", "glossary"].includes(screen);
}

/** Writes what is on the screen into the address bar. */
export function writeAddress(state: AppState): void {
  const address = addressOf(state);
  // Another screen is another history entry, so that Back returns to this one.
  if (screenOf(location.hash) === screenOf(new URL(address).hash))
    history.replaceState(history.state, "", address);
  else history.pushState(null, "", address);
  known = location.hash;
}

function screenOf(hash: string): string {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  return `${words.get("screen") ?? "replay"} ${words.get("experiment") ?? words.get("term") ?? ""}`;
}

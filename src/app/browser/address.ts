/** Keeps the part of the address after `#` equal to what is shown, and shows what is put there. */
import { encodePermalink } from "../../model/permalink/permalink";
import type { Actions } from "../../state/actions";
import { permalink } from "../../state/selectors";
import type { AppState, AppStore } from "../../state/store";

/** Browsers refuse more than about 100 changes of the address in 30 s. */
const WAIT_MS = 500;

/** What the page has written after `#`, or has read there: anything else is on its way to it. */
let known = location.hash;

export function followAddress(store: AppStore, actions: Actions): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let nFollowed = 0;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const now = store.getState();
    // What the user has put there is not written over before it is shown.
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
  // A link leaves an entry behind that Back returns to: it has what was shown last, in the middle of playing too.
  addEventListener(
    "click",
    ({ target }) => {
      const isLink = target instanceof Element && target.closest("a[href]");
      const isAhead = timer !== undefined || store.getState().playing;
      if (isLink && isAhead) write();
    },
    true,
  );
  // Only the user changes the address so; `replaceState` makes no event.
  addEventListener("hashchange", () => {
    known = location.hash;
    nFollowed += 1;
    void actions.open(known).finally(() => {
      nFollowed -= 1;
      keepUp();
    });
  });
}

/** The address of what is on the screen, to be copied. */
export function addressOf(state: AppState): string {
  const address = new URL(location.href);
  address.hash = encodePermalink(permalink(state));
  return address.href;
}

/** What is shown is that of the configuration. */
function isThere({ screen, stale, snapshot, trace }: AppState): boolean {
  if (isWithoutRun(screen)) return true;
  return !stale && (snapshot !== undefined || trace?.n_accesses === 0);
}

/** And it stays as it is. */
function isSettled(state: AppState): boolean {
  const { screen, playing } = state;
  return (isWithoutRun(screen) || !playing) && isThere(state);
}

/** It shows nothing of the replay. */
function isWithoutRun(screen: AppState["screen"]): boolean {
  return screen === "experiments" || screen === "loop";
}

/** Puts what is on the screen into the address bar. */
export function writeAddress(state: AppState): void {
  const address = addressOf(state);
  // Another screen is another entry, so that Back returns to this one.
  if (screenOf(location.hash) === screenOf(new URL(address).hash))
    history.replaceState(history.state, "", address);
  else history.pushState(null, "", address);
  known = location.hash;
}

function screenOf(hash: string): string {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  return `${words.get("screen") ?? "replay"} ${words.get("experiment") ?? ""}`;
}

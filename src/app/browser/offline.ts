/** Keeps the files of the site in the browser, so that it opens without a network, and offers new versions. */

/** The shortest time between two looks for a new version, in milliseconds. */
const PAUSE_MS = 3_600_000;

/**
 * Registers the service worker. A version that the worker has fetched waits until the user reloads the page through
 * `offer`, or has closed all pages of the site: until then, this page gets the files of its own version.
 */
export async function keepOffline(
  offer: (reload: () => void) => void,
): Promise<void> {
  try {
    const workers = navigator.serviceWorker as
      ServiceWorkerContainer | undefined;
    if (!workers) return;
    const registration = await workers.register("./sw.js", {
      updateViaCache: "none",
    });
    const reload = () => reloadWith(workers, registration);
    const follow = (worker: ServiceWorker | null) => {
      const look = () => {
        // The first worker replaces none, and does not wait.
        if (worker?.state === "installed" && registration.active) offer(reload);
      };
      look();
      worker?.addEventListener("statechange", look);
    };
    follow(registration.waiting);
    follow(registration.installing);
    registration.addEventListener("updatefound", () =>
      follow(registration.installing),
    );
    updateWhenShown(registration);
  } catch {
    // Not every host and not every frame may have a worker. The site needs a network there.
  }
}

function reloadWith(
  workers: ServiceWorkerContainer,
  { waiting }: ServiceWorkerRegistration,
): void {
  // Another page of the site may have started the new version already.
  if (!waiting) {
    location.reload();
    return;
  }
  workers.addEventListener("controllerchange", () => location.reload(), {
    once: true,
  });
  waiting.postMessage({ type: "SKIP_WAITING" });
}

/** Browsers look for a new version when a page is loaded, but this page may stay open for days. */
function updateWhenShown(registration: ServiceWorkerRegistration): void {
  let last = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - last < PAUSE_MS) return;
    last = Date.now();
    // Without a network, the next look is in an hour.
    registration.update().catch(() => {});
  });
}

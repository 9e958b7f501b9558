// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { keepOffline } from "../../../src/app/browser/offline";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A service worker in one of its states. */
class Worker extends EventTarget {
  readonly postMessage = vi.fn();
  state: string;
  constructor(state: string) {
    super();
    this.state = state;
  }
  become(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}

class Registration extends EventTarget {
  installing: Worker | null = null;
  waiting: Worker | null = null;
  active: Worker | null = null;
  readonly update = vi.fn(() => Promise.reject(new Error("no network")));
}

async function keep(
  registration: Registration,
  register = () => Promise.resolve(registration),
) {
  const workers = Object.assign(new EventTarget(), { register });
  vi.stubGlobal("navigator", { serviceWorker: workers });
  const offer = vi.fn<(reload: () => void) => void>();
  await keepOffline(offer);
  return { offer, workers };
}

test("the_first_worker_is_no_new_version", async () => {
  const registration = new Registration();
  const worker = new Worker("installing");
  registration.installing = worker;
  const { offer } = await keep(registration);
  worker.become("installed");
  registration.active = worker;
  worker.become("activated");
  expect(offer).not.toHaveBeenCalled();
});

test("a_version_that_waits_or_arrives_is_offered_and_starts_on_the_press", async () => {
  const registration = new Registration();
  registration.active = new Worker("activated");
  registration.waiting = new Worker("installed");
  const { offer } = await keep(registration);
  expect(offer).toHaveBeenCalledTimes(1);

  const newer = new Worker("installing");
  registration.installing = newer;
  registration.dispatchEvent(new Event("updatefound"));
  registration.waiting = newer;
  newer.become("installed");
  expect(offer).toHaveBeenCalledTimes(2);
  expect(newer.postMessage).not.toHaveBeenCalled();
  offer.mock.lastCall?.[0]();
  expect(newer.postMessage).toHaveBeenCalledWith({ type: "SKIP_WAITING" });
});

test("a_shown_page_looks_for_a_new_version_at_most_once_an_hour", async () => {
  vi.useFakeTimers();
  const registration = new Registration();
  await keep(registration);
  const show = () => document.dispatchEvent(new Event("visibilitychange"));
  show();
  expect(registration.update).not.toHaveBeenCalled();
  vi.advanceTimersByTime(3_600_000);
  show();
  show();
  expect(registration.update).toHaveBeenCalledTimes(1);
});

test("a_page_without_workers_goes_on", async () => {
  const { offer } = await keep(new Registration(), () =>
    Promise.reject(new Error("The host has no worker.")),
  );
  // A page without https.
  vi.stubGlobal("navigator", {});
  await keepOffline(offer);
  // A sandboxed frame.
  vi.stubGlobal("navigator", {
    get serviceWorker(): never {
      throw new DOMException("The document is sandboxed.", "SecurityError");
    },
  });
  await keepOffline(offer);
  expect(offer).not.toHaveBeenCalled();
});

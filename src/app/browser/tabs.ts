/** Informs the other tabs of the site that a stored list has changed. */

export type StoredList = "traces" | "runs" | "machines";

export interface Tabs {
  announce(list: StoredList): void;
  /** Calls back when another tab has changed a list. */
  follow(onChange: (list: StoredList) => void): void;
  close(): void;
}

const LISTS: readonly unknown[] = [
  "traces",
  "runs",
  "machines",
] satisfies StoredList[];

export function otherTabs(name = "pagewalk"): Tabs {
  const channel = new BroadcastChannel(name);
  return {
    announce: (list) => channel.postMessage(list),
    follow: (onChange) => {
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        // A tab with another version of the app may know other lists.
        if (LISTS.includes(data)) onChange(data as StoredList);
      };
    },
    close: () => channel.close(),
  };
}

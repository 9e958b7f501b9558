/** Runs work on an engine one after another, so that no work finds the trace of another. */

export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

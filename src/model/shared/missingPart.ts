/** Parts of the site that load later, and are gone once a newer version is on the host. */

export const MISSING_PART =
  "A part of the page could not be loaded. There is a new version, or no connection: reload the page.";

/** Whether this was thrown by an `import()` of such a part; each browser has its own words. */
export function isMissingPart(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    /dynamically imported module|importing a module script failed|preload CSS/i.test(
      thrown.message,
    )
  );
}

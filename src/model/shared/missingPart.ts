/** The error of a part of the site that loads later, after a newer version has replaced it on the host. */

export const MISSING_PART =
  "A part of the page could not be loaded. There is a new version, or no connection: reload the page.";

/** Returns whether an `import()` of such a part threw this error. Each browser words the error differently. */
export function isMissingPart(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    /dynamically imported module|importing a module script failed|preload CSS/i.test(
      thrown.message,
    )
  );
}

/** The version of the program, from package.json, by vite.config.ts. */
export const VERSION = String(import.meta.env.PAGEWALK_VERSION);

/** The commit that the site was built from, by vite.config.ts; empty if the build did not know it. */
export const COMMIT = String(import.meta.env.PAGEWALK_COMMIT ?? "");

/** The version of the program, from package.json, by vite.config.ts. */
export const VERSION = String(import.meta.env.PAGEWALK_VERSION);

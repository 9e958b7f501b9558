/** Whether the last run was of another program. It stands apart, because the first files of the site have no build. */
import { languageOf } from "./build";
import { programName } from "./code";
import type { CodeProgram } from "./code";

/** Returns whether the pictures are those of another program, not of an older version of this one. */
export function isOther({ name, code, build, shown }: CodeProgram): boolean {
  if (!shown || shown.code === code) return false;
  return (
    shown.name !== programName(name) ||
    languageOf(shown.build) !== languageOf(build)
  );
}

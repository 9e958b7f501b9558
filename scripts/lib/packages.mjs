import { existsSync, readFileSync } from "node:fs";
import { inRoot } from "./paths.mjs";
import { Stop, mustRun, which } from "./run.mjs";
import { step } from "./steps.mjs";

const packagesOf = (lockfile) =>
  JSON.parse(readFileSync(lockfile, "utf8")).packages;

/** Installs the npm packages if `node_modules` differs from the lockfile. */
export async function ensurePackages() {
  if (areCurrent()) return;
  await step("Installing npm packages", () => mustRun("npm ci", ...npm("ci")));
}

function areCurrent() {
  const installedList = inRoot("node_modules", ".package-lock.json");
  if (!existsSync(installedList)) return false;
  const installed = packagesOf(installedList);
  return Object.entries(packagesOf(inRoot("package-lock.json"))).every(
    ([folder, wanted]) =>
      folder === "" ||
      installed[folder]?.version === wanted.version ||
      // Builds for other systems are in the lockfile, but not on this disk.
      (!installed[folder] && (wanted.optional || wanted.devOptional)),
  );
}

/** Runs the npm that started this script, or the one on PATH. `NODE_ENV=production` must not leave out the tools. */
function npm(command) {
  const args = [command, "--include=dev", "--no-audit", "--no-fund"];
  const script = process.env.npm_execpath;
  if (script?.endsWith("npm-cli.js"))
    return [process.execPath, [script, ...args]];
  const program = which("npm");
  if (!program) {
    throw new Stop(
      "npm is missing: install Node with npm from https://nodejs.org.",
    );
  }
  return [program, args];
}

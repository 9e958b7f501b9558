import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { inRoot } from "./paths.mjs";
import { Stop, mustRun, which } from "./run.mjs";
import { step } from "./steps.mjs";

const packagesOf = (lockfile) =>
  JSON.parse(readFileSync(lockfile, "utf8")).packages;

/** Installs the npm packages of a folder if its `node_modules` differs from its lockfile. */
export async function ensurePackages(folder = inRoot()) {
  if (areCurrent(folder)) return;
  await step("Installing npm packages", () =>
    mustRun("npm ci", ...npm("ci"), { cwd: folder }),
  );
}

function areCurrent(root) {
  const installedList = path.join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installedList)) return false;
  const installed = packagesOf(installedList);
  return Object.entries(packagesOf(path.join(root, "package-lock.json"))).every(
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

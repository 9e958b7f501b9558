import { readFileSync } from "node:fs";
import { run, which } from "./run.mjs";
import { step } from "./steps.mjs";

const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];
/** Chromium without windows, as Debian packages it. */
const SHELL = "chromium-headless-shell";
const FONTS = "fonts-dejavu-core";
const ELSEWHERE = [
  "/Applications/Google Chrome.app/Contents/MacOS",
  "/Applications/Chromium.app/Contents/MacOS",
  "C:\\Program Files\\Google\\Chrome\\Application",
  "/snap/bin",
];

export const CHROMIUM_MISSING =
  "Chromium is missing, which the end-to-end tests drive: install chromium-headless-shell, chromium or Google Chrome, or set PAGEWALK_CHROMIUM to its path.";

/** @returns {string | undefined} the path of a Chromium or Chrome on this machine */
export function findChromium() {
  if (process.env.PAGEWALK_CHROMIUM) return process.env.PAGEWALK_CHROMIUM;
  for (const name of [...NAMES, "Google Chrome", "Chromium", SHELL]) {
    const found = which(name, ...ELSEWHERE);
    if (found) return found;
  }
  return undefined;
}

/** Returns the Chromium that tests drive. The one without windows loads a page in half the processor time. */
export const findTestChromium = () =>
  process.env.PAGEWALK_CHROMIUM ?? which(SHELL) ?? findChromium();

/** Finds the Chromium that tests drive, or installs it if no confirmation is needed: as root on Debian. */
export async function ensureTestChromium() {
  const isBest = process.env.PAGEWALK_CHROMIUM ?? which(SHELL);
  if (!isBest && isRootOnDebian()) {
    await step(`Installing Debian's ${SHELL}`, async () => {
      await apt("update");
      const { code } = await apt("install", SHELL, FONTS);
      // Older releases of Debian have no such package.
      if (code !== 0 && !findChromium()) await apt("install", NAMES[0], FONTS);
    });
  }
  return findTestChromium();
}

function apt(command, ...packages) {
  const options = packages.length > 0 ? ["-y", "--no-install-recommends"] : [];
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  return run("apt-get", [command, "-q", ...options, ...packages], { env });
}

function isRootOnDebian() {
  try {
    return (
      process.getuid?.() === 0 &&
      /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"))
    );
  } catch {
    return false;
  }
}

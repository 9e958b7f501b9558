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
const ELSEWHERE = [
  "/Applications/Google Chrome.app/Contents/MacOS",
  "/Applications/Chromium.app/Contents/MacOS",
  "C:\\Program Files\\Google\\Chrome\\Application",
  "/snap/bin",
];

export const CHROMIUM_MISSING =
  "Chromium is missing, which the end-to-end tests drive: install chromium or Google Chrome, or set PAGEWALK_CHROMIUM to its path.";

/** @returns {string | undefined} the path of a Chromium or Chrome on this machine */
export function findChromium() {
  if (process.env.PAGEWALK_CHROMIUM) return process.env.PAGEWALK_CHROMIUM;
  for (const name of [...NAMES, "Google Chrome", "Chromium"]) {
    const found = which(name, ...ELSEWHERE);
    if (found) return found;
  }
  return undefined;
}

/** Finds Chromium, or installs it if no confirmation is needed: as root on Debian. */
export async function ensureChromium() {
  if (!findChromium() && isRootOnDebian()) {
    await step("Installing Debian's chromium", async () => {
      const env = { DEBIAN_FRONTEND: "noninteractive" };
      await run("apt-get", ["update", "-q"], { env });
      await run(
        "apt-get",
        [
          "install",
          "-q",
          "-y",
          "--no-install-recommends",
          "chromium",
          "fonts-dejavu-core",
        ],
        { env },
      );
    });
  }
  return findChromium();
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

// `npm run build` builds the wasm modules and the static site. `npm run build:wasm` builds only the wasm modules.
// `npm run build:cli` builds the command line with the site in it, which is built first if its sources changed.
import { ensureSite, ensureWasm } from "./lib/artifacts.mjs";
import { dist, simCore } from "./lib/paths.mjs";
import { host, portable } from "./lib/portable.mjs";
import { mustRun } from "./lib/run.mjs";
import { main } from "./lib/steps.mjs";
import { checkPrerequisites, extendPath } from "./lib/toolchain.mjs";

async function buildCommandLine() {
  await ensureWasm();
  await ensureSite();
  // The README names this folder, so the target directory of the user's cargo is not used.
  const place = ["--target-dir", "target"];
  await mustRun(
    "cargo build",
    "cargo",
    ["build", "--release", "-p", "pagewalk-cli", ...place],
    { cwd: simCore, env: { ...portable(host()), PAGEWALK_SITE: dist } },
  );
}

async function buildSite(what) {
  await ensureWasm({ force: true });
  if (what !== "wasm") await ensureSite({ force: true });
}

await main(async () => {
  const what = process.argv[2];
  extendPath();
  checkPrerequisites();
  await (what === "cli" ? buildCommandLine() : buildSite(what));
});

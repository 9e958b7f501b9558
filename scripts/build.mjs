// `npm run build`: the wasm module and the static site. `npm run build:wasm`: the former only.
// `npm run build:cli`: the command line, which needs no npm packages.
import { ensureSite, ensureWasm } from "./lib/artifacts.mjs";
import { simCore } from "./lib/paths.mjs";
import { host, portable } from "./lib/portable.mjs";
import { mustRun } from "./lib/run.mjs";
import { main } from "./lib/steps.mjs";
import { checkPrerequisites, extendPath } from "./lib/toolchain.mjs";

async function buildCommandLine() {
  // The README promises a place, whatever target directory the reader's cargo prefers.
  const place = ["--target-dir", "target"];
  await mustRun(
    "cargo build",
    "cargo",
    ["build", "--release", "-p", "pagewalk-cli", ...place],
    { cwd: simCore, env: portable(host()) },
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
